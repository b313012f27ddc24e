import { Link } from "@tanstack/react-router";
import { Suspense, lazy } from "react";
import { HeaderLogin } from "@/features/auth/components/header-login";
import { openRegister } from "@/features/auth/popups";
import { type Session, useSession } from "@/features/auth/session";
import { getBoot, isSwitchedOn } from "@/lib/boot/boot";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { Button } from "@/ui/button";
import { Icon } from "@/ui/icon";
import { warmPopup } from "@/ui/popup-host";
import { Wordmark } from "@/ui/wordmark";
import { LanguageSelect } from "./language-select";
import { Service } from "./service";
import { ThemeToggle } from "./theme-toggle";

const MemberEnd = lazy(async () => {
  const [part] = await Promise.all([
    loadPart(() => import("./member-end")),
    loadPart(() => loadMessages("shell")),
  ]);
  return part;
});

export function Header() {
  const t = useT();
  const session = useSession();
  return (
    <header className="site-header sticky top-0 z-40 border-b border-line bg-canvas">
      <div className="flex h-16 items-center gap-2 px-4 lg:px-7">
        <Link
          to="/"
          aria-label={t("header.home", getBoot().merchant.name)}
          className="mr-auto flex min-h-11 min-w-11 items-center"
        >
          <Wordmark
            name={getBoot().merchant.name}
            nameClass={session.kind === "trial" ? "max-sm:hidden" : ""}
          />
        </Link>
        <LanguageSelect className="max-md:hidden" />
        <ThemeToggle className="max-md:hidden" />
        <Service
          label={t("service")}
          className="leaf grid size-11 place-items-center hover:bg-raised max-md:hidden"
        >
          <Icon name="headset" />
        </Service>
        <Who session={session} />
      </div>
    </header>
  );
}

/** The visitor's or the member's end of the header; it stays empty until it is known who looks. */
function Who({ session }: { session: Session }) {
  if (session.kind === "unknown") return <span className="w-45" />;
  if (session.kind === "visitor") return <VisitorActions />;
  return (
    <Suspense fallback={<span className="w-45" />}>
      <MemberEnd member={session.member} />
    </Suspense>
  );
}

/** A page worth coming back to after the log-in. */
const returnTo = /^\/(play\/|agentHome$)/;

function VisitorActions() {
  const t = useT();
  const here = () => (returnTo.test(location.pathname) ? location.pathname : undefined);
  return (
    <div className="visitor-only flex gap-2">
      <HeaderLogin next={here} />
      {isSwitchedOn("DIRECTREG3") && (
        <Button
          size="sm"
          variant="main"
          onClick={() => openRegister(here())}
          onPointerEnter={() => warmPopup("register")}
          onFocus={() => warmPopup("register")}
        >
          {t("header.join")}
        </Button>
      )}
    </div>
  );
}
