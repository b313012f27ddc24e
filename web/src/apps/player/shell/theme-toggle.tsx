import { useT } from "@/lib/i18n/i18n";
import { type ThemeChoice, setThemeChoice, useTheme, useThemeChoice } from "@/lib/theme/theme";
import { Icon, type IconName } from "@/ui/icon";
import { IconButton } from "@/ui/icon-button";

/** Changes between dark and light with one press. */
export function ThemeToggle({ className = "" }: { className?: string }) {
  const t = useT();
  const theme = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <IconButton
      icon={theme === "dark" ? "sun" : "moon"}
      label={t(other === "light" ? "theme.to_light" : "theme.to_dark")}
      onClick={() => setThemeChoice(other)}
      className={className}
    />
  );
}

const choices = [
  { choice: "system", icon: "device", label: "theme.system" },
  { choice: "dark", icon: "moon", label: "theme.dark" },
  { choice: "light", icon: "sun", label: "theme.light" },
] as const satisfies readonly { choice: ThemeChoice; icon: IconName; label: string }[];

/** All three choices, where there is room for them. */
export function ThemeChoices() {
  const t = useT();
  const chosen = useThemeChoice();
  return (
    <fieldset>
      <legend className="pb-2 text-sm text-muted">{t("theme.label")}</legend>
      <div className="grid grid-cols-3 gap-2">
        {choices.map(({ choice, icon, label }) => (
          <label
            key={choice}
            className="leaf grid min-h-16 cursor-pointer content-center justify-items-center gap-1 border border-line text-xs has-checked:border-accent has-focus-visible:outline-2"
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={chosen === choice}
              onChange={() => setThemeChoice(choice)}
            />
            <Icon name={icon} />
            {t(label)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
