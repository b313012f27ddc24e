import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { type Key, useT } from "@/lib/i18n/i18n";
import { Dialog, DialogTitle } from "@/ui/dialog";
import { fieldBox } from "@/ui/field";
import { Icon, type IconName } from "@/ui/icon";
import { useGo } from "../address";
import { peopleQuery } from "../api";
import { findQuery } from "../members/api";
import { pagesOf } from "../pages";
import { useMay, useMe } from "../session";
import { type Jump, findJumps, jumpToFound, jumpToPerson } from "./jumps";

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

/** How long nothing is typed before the server is asked. */
const settleMs = 200;

/** What the server finds for what is typed, once the hands rest. */
function useFound(typed: string): { found: Jump[]; isSeeking: boolean } {
  const wanted = typed.trim();
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), settleMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const approvals = pagesOf(useMe()).find(({ path }) => path === "/approvals")?.path;
  const isLong = wanted.length > 1;
  const { data, isFetching } = useQuery({ ...findQuery(settled), enabled: settled.length > 1 });
  const things = isLong && settled.length > 1 ? (data ?? []) : [];
  return {
    found: things.flatMap((thing) => jumpToFound(thing, approvals)),
    isSeeking: isLong && (isFetching || settled !== wanted),
  };
}

/** Jumps to a page, a person, a member or a round by the first letters or the number. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useT();
  const go = useGo();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const { found: further, isSeeking } = useFound(typed);
  const found = [...findJumps(useJumps(), typed), ...further];
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
          {t(wordOf(found.length, isSeeking))}
        </p>
      </div>
    </Dialog>
  );
}

function wordOf(count: number, isSeeking: boolean): Key {
  if (isSeeking) return "office.jump_seeking";
  return count === 0 ? "office.jump_nothing" : "office.jump_help";
}

const icons: Readonly<Record<Jump["kind"], IconName>> = {
  page: "right",
  person: "shield",
  member: "user",
  round: "dice",
  transfer: "list",
  approval: "check",
};

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
      <Icon name={icons[jump.kind]} className="size-4 shrink-0 text-muted" />
      <span {...(jump.kind !== "page" && { "data-name": true })} className="truncate">
        {jump.kind === "transfer" ? `#${jump.label}` : jump.label}
      </span>
      <span data-name className="ml-auto truncate font-mono text-xs text-muted">
        {jump.more}
      </span>
    </div>
  );
}
