import { type FormEvent, useState } from "react";
import { loadMessages, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { openPopup } from "@/lib/popup/popup";
import { Button } from "@/ui/button";
import { warmPopup } from "@/ui/popup-host";
import { useEnter } from "../use-enter";
import { loginWays } from "../ways";

const box =
  "min-h-11 w-36 rounded-xs border border-line-strong bg-canvas px-3 text-sm placeholder:text-muted";

/**
 * The log-in in the header. It is as light as a form can be: what checks and sends is loaded when it is used. With
 * nothing typed its button opens the popup, which has every way in.
 */
export function HeaderLogin({ next }: { next: () => string | undefined }) {
  const words = useT();
  const enter = useEnter();
  const [busy, setBusy] = useState(false);
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const leadsTo = () => {
    const path = next();
    return path === undefined ? {} : { next: path };
  };
  const send = async () => {
    const [{ signInFromHeader }] = await Promise.all([
      loadPart(() => import("../header-sign-in")),
      loadMessages("auth"),
    ]);
    await signInFromHeader({ username: username.trim(), password }, leadsTo(), enter);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (username === "" && password === "") {
      openPopup("login", leadsTo());
      return;
    }
    setBusy(true);
    void send().finally(() => setBusy(false));
  };
  const ways = loginWays();
  return (
    <form noValidate onSubmit={submit} className="flex items-center gap-2">
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
          <input
            aria-label={words("header.username")}
            placeholder={words("header.username")}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
            className={`${box} max-xl:hidden`}
          />
          <input
            type="password"
            aria-label={words("header.password")}
            placeholder={words("header.password")}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
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
        onClick={() => openPopup("forgot", {})}
      >
        {words("header.forgot")}
      </button>
    </form>
  );
}
