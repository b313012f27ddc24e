import { useQuery } from "@tanstack/react-query";
import type { UseFormRegisterReturn } from "react-hook-form";
import { useT } from "@/lib/i18n/i18n";
import { CheckField, FieldError } from "@/ui/field";
import { Skeleton } from "@/ui/skeleton";
import { rolesQuery } from "../api";
import { roleText } from "../rights";

type RolesFieldProps = { field: UseFormRegisterReturn; error: string | undefined };

export function RolesField({ field, error }: RolesFieldProps) {
  const t = useT();
  const { data: roles } = useQuery(rolesQuery);
  return (
    <fieldset>
      <legend className="text-sm text-muted">{t("office.roles")}</legend>
      {roles ? (
        <div className="grid sm:grid-cols-2">
          {roles.map(({ name }) => (
            <CheckField key={name} label={roleText(name, t)} value={name} {...field} />
          ))}
        </div>
      ) : (
        <Skeleton className="h-33" />
      )}
      <FieldError id="roles-error" text={error} />
    </fieldset>
  );
}
