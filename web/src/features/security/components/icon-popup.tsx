import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { memberQuery } from "@/features/auth/api";
import { errorText } from "@/lib/api/error-text";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { DialogTitle } from "@/ui/dialog";
import { FormAlert } from "@/ui/form-alert";
import { chooseIcon } from "../api";
import { iconLabels, isMemberIcon, memberIconNames } from "../icons";
import { MemberIcon } from "./member-icon";

export default function IconPopup(props: { current: string | undefined; close: () => void }) {
  const { current, close } = props;
  const t = useT();
  const client = useQueryClient();
  const [chosen, choose] = useState(isMemberIcon(current) ? current : "capiz");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    try {
      await chooseIcon(chosen);
      await client.invalidateQueries({ queryKey: memberQuery.queryKey });
      close();
    } catch (error) {
      setFailure(errorText(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-5 p-6">
      <DialogTitle>{t("security.icon_title")}</DialogTitle>
      <FormAlert text={failure} />
      <fieldset>
        <legend className="sr-only">{t("security.icon_title")}</legend>
        <div className="grid grid-cols-4 gap-2">
          {memberIconNames.map((name) => (
            <label
              key={name}
              className="leaf grid min-h-18 cursor-pointer place-items-center border border-line has-checked:border-accent has-focus-visible:outline-2"
            >
              <input
                type="radio"
                name="icon"
                className="sr-only"
                aria-label={t(iconLabels[name])}
                checked={chosen === name}
                onChange={() => choose(name)}
              />
              <MemberIcon name={name} className="size-11" />
            </label>
          ))}
        </div>
      </fieldset>
      <Button variant="main" busy={busy} onClick={() => void save()}>
        {t("security.save")}
      </Button>
    </div>
  );
}
