import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { useT } from "@/lib/i18n/i18n";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { fieldBox } from "@/ui/field";
import { Icon } from "@/ui/icon";
import { useGo } from "../address";
import { peopleQuery } from "../api";
import { pagesOf } from "../pages";
import { useMay, useMe } from "../session";
import { type Jump, findJumps, jumpToPerson } from "./jumps";

/** Everything that one may jump to. */
function useJumps(): Jump[] {
  const t = useT();
  const me = useMe();
  const { data: people } = useQuery({ ...peopleQuery, enabled: useMay("staff.read") });
  const pages = pagesOf(me).map(({ path, title }): Jump => ({
    id: path,
    kind: "page",
    label: t(title),
    more: "",
    to: path,
    search: {},
  }));
  return [...pages, ...(people ?? []).map(jumpToPerson)];
}

/** Jumps to a page or a person by the first letters. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useT();
  const go = useGo();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = findJumps(useJumps(), typed);
  const jump = (chosen: Jump | undefined) => {
    if (!chosen) return;
    onClose();
    go(chosen.to, chosen.search);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") jump(found[at]);
    else if (step && found.length > 0) setAt((at + step + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog onClose={onClose} className="popup palette">
      <div className="grid gap-3 p-5">
        <DialogTitle>{t("office.jump")}</DialogTitle>
        <input
          data-autofocus
          role="combobox"
          aria-label={t("office.jump_label")}
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={found[at] && `${id}-${at}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
          className={fieldBox}
        />
        <div id={`${id}-list`} role="listbox" aria-label={t("office.jump")}>
          {found.map((one, index) => (
            <JumpOption
              key={one.id}
              id={`${id}-${index}`}
              jump={one}
              isChosen={index === at}
              onPoint={() => setAt(index)}
              onChoose={() => jump(one)}
            />
          ))}
        </div>
        <p role="status" className="text-sm text-muted">
          {found.length === 0 ? t("office.jump_nothing") : t("office.jump_help")}
        </p>
      </div>
    </Dialog>
  );
}

type JumpOptionProps = {
  id: string;
  jump: Jump;
  isChosen: boolean;
  onPoint: () => void;
  onChoose: () => void;
};

function JumpOption({ id, jump, isChosen, onPoint, onChoose }: JumpOptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys work in the field above
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onChoose}
      className="leaf flex min-h-11 cursor-pointer items-center gap-3 px-3 aria-selected:bg-raised"
    >
      <Icon name={jump.kind === "page" ? "right" : "user"} className="size-4 shrink-0 text-muted" />
      <span {...(jump.kind === "person" && { "data-name": true })} className="truncate">
        {jump.label}
      </span>
      <span data-name className="ml-auto truncate font-mono text-xs text-muted">
        {jump.more}
      </span>
    </div>
  );
}
