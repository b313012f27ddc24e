import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Button } from "@/ui/button";
import { Dialog, DialogTitle, useLateFocus } from "@/ui/dialog";
import { CheckField, Field } from "@/ui/field";
import { toast } from "@/ui/toast";
import { OfficeLink } from "../address";
import { type Person, changePerson, peopleQuery } from "../api";
import { timeText } from "../clock";
import { type Faults, emptyOnes, reasonFault, useServerForm } from "../form";
import { Fact, Facts } from "../panel";
import { rolesText } from "../rights";
import { useMay, useMe } from "../session";
import { ReasonField } from "../reason-field";
import { RolesField } from "./roles-field";
import { ResetForm } from "./reset-form";
import { FormFailure } from "../form-failure";

type PersonDialogProps = { person: Person; onClose: () => void };

/** One person: what is known, and what may be changed. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const t = useT();
  const [resets, setResets] = useState(false);
  const [isBack, setBack] = useState(false);
  const hasTyped = useRef<() => boolean>(null);
  const goBack = () => {
    setResets(false);
    setBack(true);
  };
  return (
    <Dialog onClose={onClose}>
      <div className="grid gap-4 p-6">
        <DialogTitle>
          <span data-name>{person.name}</span>
        </DialogTitle>
        {resets && (
          <ResetForm
            person={person}
            onCancel={goBack}
            onDone={() => (hasTyped.current?.() ? goBack() : onClose())}
          />
        )}
        {/* What is typed stays as it is while something else is done. */}
        <div hidden={resets} className="grid gap-4">
          <Facts>
            <Fact label={t("office.username")}>
              <span data-name>{person.username}</span>
            </Fact>
            <Fact label={t("office.last_login")}>{timeText(person.lastLoginAt)}</Fact>
            <Fact label={t("office.added_at")}>{timeText(person.createdAt)}</Fact>
          </Facts>
          <Deeds username={person.username} />
          <Changes
            person={person}
            onClose={onClose}
            onReset={() => setResets(true)}
            isBack={isBack && !resets}
            hasTyped={hasTyped}
          />
        </div>
      </div>
    </Dialog>
  );
}

function Deeds({ username }: { username: string }) {
  const t = useT();
  if (!useMay("trail.read")) return null;
  return (
    <OfficeLink
      to="/trail"
      search={{ actor: username }}
      className="inline-flex min-h-11 items-center justify-self-start underline underline-offset-4"
    >
      {t("office.person_deeds")}
    </OfficeLink>
  );
}

type ChangesProps = PersonDialogProps & {
  onReset: () => void;
  /** Somebody comes back from there, to its button. */
  isBack: boolean;
  /** Tells whether the form holds what is not saved. */
  hasTyped: RefObject<(() => boolean) | null>;
};

/** Nobody changes their own account: what one may do is for others to say. */
function Changes(props: ChangesProps) {
  const t = useT();
  const { person } = props;
  const isMe = useMe().id === person.id;
  const mayWrite = useMay("staff.write");
  if (mayWrite && !isMe) return <ChangeForm {...props} />;
  return (
    <>
      <Facts>
        <Fact label={t("office.roles")}>{rolesText(person.roles, t)}</Fact>
        <Fact label={t("office.state")}>
          {t(person.isActive ? "office.is_active" : "office.is_closed")}
        </Fact>
      </Facts>
      {mayWrite && (
        <p className="leaf border border-line-strong p-3 text-sm">{t("office.not_yourself")}</p>
      )}
    </>
  );
}

type Values = { name: string; roles: string[]; isActive: boolean; reason: string };

function check(values: Values): Faults<Values> {
  return { ...emptyOnes(values, ["name"]), ...reasonFault(values.reason) };
}

function ChangeForm({ person, onClose, onReset, isBack, hasTyped }: ChangesProps) {
  const t = useT();
  const ref = useLateFocus<HTMLFormElement>();
  const client = useQueryClient();
  const { id, name, roles, isActive } = person;
  const form = useServerForm<Values>(
    { name, roles, isActive, reason: "" },
    check,
    async (values) => {
      await changePerson(id, values);
      await client.invalidateQueries({ queryKey: peopleQuery.queryKey });
      onClose();
      toast(t("office.saved"), "good");
    },
  );
  useImperativeHandle(hasTyped, () => form.isUnsaved);
  const resetButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isBack) resetButton.current?.focus();
  }, [isBack]);
  return (
    <form
      ref={ref}
      noValidate
      onSubmit={form.onSubmit}
      className="grid gap-4 border-t border-line pt-4"
      aria-label={t("office.person_change")}
    >
      <FormFailure text={form.failure} />
      <Field
        data-autofocus
        label={t("office.name")}
        autoComplete="off"
        maxLength={64}
        error={form.fault("name")}
        {...form.register("name")}
      />
      <RolesField field={form.register("roles")} error={form.fault("roles")} />
      <CheckField label={t("office.active_label")} {...form.register("isActive")} />
      <ReasonField field={form.register("reason")} error={form.fault("reason")} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="main" busy={form.busy} className="grow">
          {t("office.save")}
        </Button>
        <Button ref={resetButton} onClick={onReset}>
          {t("office.reset")}
        </Button>
      </div>
    </form>
  );
}
