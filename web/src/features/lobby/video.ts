import type { Lang } from "@/lib/i18n/languages";

/** What the services call the languages that videos come in. */
const languages: Readonly<Record<string, string>> = {
  EN: "en",
  TY: "fil",
  CN: "zh-CN",
  VI: "vi",
  TH: "th",
};

export function videoLanguage(lang: string): string {
  return languages[lang] ?? "en";
}

/** The frame of a video, or null when the link is not one of a video service. */
export function videoFrame(link: string, lang: Lang): string | null {
  const url = parsed(link);
  if (!url) return null;
  const host = url.hostname.replace(/^(www|m)\./, "");
  if (host === "youtu.be") return youTube(url.pathname.slice(1), lang);
  if (host === "youtube.com" || host === "youtube-nocookie.com") return youTube(idOf(url), lang);
  if (host === "vimeo.com" || host === "player.vimeo.com") return vimeo(url.pathname, lang);
  return null;
}

function parsed(link: string): URL | null {
  const url = URL.canParse(link) ? new URL(link) : null;
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

/** `watch?v=…`, `embed/…`, `shorts/…` and `live/…` are addresses of the same videos. */
function idOf(url: URL): string {
  const [, kind, id] = url.pathname.split("/");
  if (kind === "watch") return url.searchParams.get("v") ?? "";
  return /^(embed|shorts|live)$/.test(kind ?? "") ? (id ?? "") : "";
}

function youTube(id: string, lang: Lang): string | null {
  if (!/^[\w-]{11}$/.test(id)) return null;
  const language = videoLanguage(lang);
  const wishes = `autoplay=1&rel=0&hl=${language}&cc_lang_pref=${language}`;
  return `https://www.youtube-nocookie.com/embed/${id}?${wishes}`;
}

function vimeo(path: string, lang: Lang): string | null {
  const id = /^\/(?:video\/)?(\d{6,12})\/?$/.exec(path)?.[1];
  const wishes = `autoplay=1&dnt=1&texttrack=${videoLanguage(lang)}`;
  return id ? `https://player.vimeo.com/video/${id}?${wishes}` : null;
}
