import { useT } from "@/lib/i18n/i18n";
import { Icon } from "@/ui/icon";
import { IconButton } from "@/ui/icon-button";
import { Wordmark } from "@/ui/wordmark";
import { OfficeLink } from "../address";
import { rolesText } from "../rights";
import { useMe } from "../session";
import { LogOutButton } from "./log-out-button";
import { LanguageChoice, ThemeButton } from "./preferences";

type BarProps = { onMenu: () => void; onPalette: () => void };

export function Bar({ onMenu, onPalette }: BarProps) {
  const t = useT();
  return (
    <header className="sticky top-0 z-40 flex h-14 items-center gap-1 border-b border-line bg-canvas px-2 lg:gap-2 lg:pr-4 lg:pl-5">
      <IconButton icon="menu" label={t("nav.menu")} onClick={onMenu} className="lg:hidden" />
      <OfficeLink to="/" className="mr-auto flex min-h-11 items-center gap-4">
        <Wordmark name="Capiz" />
        <span className="border-l border-line-strong pl-4 text-sm text-muted max-sm:sr-only">
          {t("office.title")}
        </span>
      </OfficeLink>
      <JumpButton onPress={onPalette} />
      <LanguageChoice className="max-lg:hidden" />
      <ThemeButton />
      <WhoAmI />
      <LogOutButton className="max-lg:hidden" />
    </header>
  );
}

function JumpButton({ onPress }: { onPress: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      onClick={onPress}
      aria-keyshortcuts="Control+K Meta+K"
      className="leaf flex min-h-11 min-w-11 items-center justify-center gap-2.5 border-line text-sm text-muted hover:text-ink lg:border lg:px-3 lg:hover:border-line-strong"
    >
      <Icon name="search" />
      <span className="max-lg:sr-only">{t("office.jump")}</span>
      <kbd className="rounded-xs border border-line px-1.5 font-mono text-xs max-lg:hidden">
        {t("office.jump_keys")}
      </kbd>
    </button>
  );
}

function WhoAmI() {
  const t = useT();
  const me = useMe();
  return (
    <p className="grid border-l border-line pl-4 text-sm leading-tight max-lg:hidden">
      <span data-name className="max-w-44 truncate font-semibold">
        {me.name}
      </span>
      <span className="max-w-44 truncate text-muted">{rolesText(me.roles, t)}</span>
    </p>
  );
}
