import type { FormEvent } from "react";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";
import { IconButton } from "@/ui/icon-button";
import { warmPopup } from "@/ui/popup-host";
import type { Refusal } from "../log-in";
import { inputOf, isSeen, useUsernameLogin } from "../use-username-login";
import { loginWays } from "../ways";

const box =
  "min-h-11 w-36 rounded-xs border border-line-strong bg-canvas px-3 text-sm placeholder:text-muted";

/**
 * The log-in in the header: the popup's form without its captcha and its tick, for which there is no room. The popup, which
 * has every way in, is opened by another button inside the field, since the header has no room to spare; where there is
 * none for the fields either, by the button of the form.
 */
export function HeaderLogin({ next }: { next: () => string | undefined }) {
  const words = useT();
  const leadsTo = () => {
    const path = next();
    return path === undefined ? {} : { next: path };
  };
  const explain = async (refusal: Refusal | null) => {
    const [{ explainInHeader }] = await Promise.all([
      loadPart(() => import("../header-refusal")),
      loadMessages("auth"),
    ]);
    explainInHeader(refusal, leadsTo());
  };
  const { form, busy } = useUsernameLogin({
    next,
    asksToRemember: false,
    // Before the second step, too: the page of that one shows this box as well.
    onIn: () => form.ref.current?.reset(),
    onRefused: (refusal) => void explain(refusal),
    onEmpty: () => void explain(null),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (isSeen(event.currentTarget)) {
      form.onSubmit(event);
      return;
    }
    event.preventDefault();
    openPopup("login", leadsTo());
  };
  const ways = loginWays();
  return (
    <form {...form} onSubmit={submit} className="flex items-center gap-2">
      {ways.length > 1 && (
        <select
          aria-label={words("header.login_way")}
          value="username"
          onChange={() => openPopup("login", { ...leadsTo(), way: "mobile" })}
          className="select leaf min-h-11 border border-line bg-surface pl-3 text-sm max-xl:hidden"
        >
          <option value="username">{words("header.by_username")}</option>
          <option value="mobile">{words("header.by_mobile")}</option>
        </select>
      )}
      {ways.includes("username") && (
        <>
          <div className="relative max-xl:hidden">
            <input
              aria-label={words("header.username")}
              placeholder={words("header.username")}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              name="username"
              className={`${box} pr-9`}
            />
            <IconButton
              icon="down"
              label={words("header.other_ways")}
              onClick={() => openPopup("login", leadsTo())}
              className="absolute inset-y-0 right-0"
            />
          </div>
          <input
            type="password"
            aria-label={words("header.password")}
            placeholder={words("header.password")}
            autoComplete="current-password"
            name="password"
            className={`${box} max-xl:hidden`}
          />
        </>
      )}
      <Button
        type="submit"
        size="sm"
        busy={busy}
        onPointerEnter={() => warmPopup("login")}
        onFocus={() => warmPopup("login")}
      >
        {words("header.login")}
      </Button>
      <button
        type="button"
        className="min-h-11 text-sm whitespace-nowrap text-muted underline-offset-4 hover:text-ink hover:underline max-xl:hidden"
        onClick={() =>
          openPopup("forgot", { username: inputOf(form.ref.current, "username")?.value })
        }
      >
        {words("header.forgot")}
      </button>
    </form>
  );
}
