import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Key } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import type { Refusal, Remembering } from "./log-in";
import { onForget, recallLogin } from "./remembering";
import { useEnter } from "./use-enter";

const needed = ["username", "password", "captcha"] as const;
type Needed = (typeof needed)[number];

/** What the form holds, without spaces around it. */
type Values = Record<Needed, string> & { remember: boolean };

type Terms = {
  /** Where the log-in leads. */
  next: () => string | undefined;
  /** What another form took already; nothing that is remembered is filled in then. */
  typed?: Partial<Values> | undefined;
  /** Whether the form asks if to remember. One that does not keeps to what was chosen in another. */
  asksToRemember: boolean;
  onIn: () => void;
  onRefused: (refusal: Refusal) => void;
  /** Something is missing. */
  onEmpty?: () => void;
};

/**
 * The log-in by username, whatever shows it: the popup, the agents' page, the box in the header. It is light because the
 * header is on every page; what sends is loaded when it is used. The inputs keep what is typed, by the names `username`,
 * `password`, `captcha` and `remember`: so no password comes into the markup.
 */
export function useUsernameLogin(terms: Terms) {
  const enter = useEnter();
  const ref = useRef<HTMLFormElement>(null);
  const known = usePrefill(ref, terms);
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Partial<Record<Needed, Key>>>({});
  const send = async ({ remember, ...typed }: Values) => {
    const remembering = wishOf(terms.asksToRemember ? remember : null, known.current, typed);
    const { logIn } = await loadPart(() => import("./log-in"));
    return logIn({ ...typed, remembering, next: terms.next() }, enter);
  };
  const settle = async (values: Values) => {
    setBusy(true);
    const failed = (error: unknown) => ({ error, asksCaptcha: false, typed: values });
    const refusal = await send(values).catch(failed);
    setBusy(false);
    if (refusal) terms.onRefused(refusal);
    else terms.onIn();
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const values = valuesOf(form);
    const empty = needed.filter((name) => inputOf(form, name) && values[name] === "");
    if (empty.length === 0) {
      void settle(values);
      return;
    }
    setFaults(Object.fromEntries(empty.map((name) => [name, "field.required"])));
    inputOf(form, empty[0] ?? "username")?.focus();
    terms.onEmpty?.();
  };
  const mark = (name: string, fault?: Key) => setFaults((faults) => ({ ...faults, [name]: fault }));
  /** What is typed anew is no longer wrong. */
  const onInput = ({ target }: FormEvent<HTMLFormElement>) =>
    mark((target as HTMLInputElement).name);
  return { ref, busy, faults, mark, form: { ref, onSubmit, onInput, noValidate: true } };
}

/** Without a box it is the remembered name that is kept, with the password that lets it in now. */
function wishOf(
  ticked: boolean | null,
  known: string | null,
  { username }: Pick<Values, "username">,
): Remembering {
  if (ticked === null) return username === known ? "keep" : "no change";
  return ticked ? "keep" : "forget";
}

/** Fills in what another form took, or else what is remembered: then `known` is its username. */
function usePrefill(
  ref: RefObject<HTMLFormElement | null>,
  { typed, asksToRemember }: Pick<Terms, "typed" | "asksToRemember">,
): RefObject<string | null> {
  const known = useRef<string | null>(null);
  useEffect(() => {
    const form = ref.current;
    if (!form) return;
    if (typed) {
      fill(form, typed);
      return;
    }
    let isGone = false;
    const recall = async () => {
      const kept = isSeen(form) ? await recallLogin() : null;
      if (isGone || !kept) return;
      known.current = kept.username;
      if (!isTyped(form)) fill(form, { ...kept, remember: true });
    };
    // Nothing is filled in then.
    void recall().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [ref, typed]);
  useEffect(() => {
    if (asksToRemember) return;
    // The box elsewhere was unticked.
    return onForget(() => {
      if (known.current !== null) ref.current?.reset();
      known.current = null;
    });
  }, [ref, asksToRemember]);
  return known;
}

export function inputOf(form: HTMLFormElement | null, name: keyof Values): HTMLInputElement | null {
  return (form?.elements.namedItem(name) ?? null) as HTMLInputElement | null;
}

function valuesOf(form: HTMLFormElement): Values {
  const text = (name: Needed) => inputOf(form, name)?.value.trim() ?? "";
  return {
    username: text("username"),
    password: text("password"),
    captcha: text("captcha"),
    remember: inputOf(form, "remember")?.checked ?? false,
  };
}

function fill(form: HTMLFormElement, values: Partial<Values>): void {
  for (const name of needed) {
    const input = inputOf(form, name);
    if (input) input.value = values[name] ?? "";
  }
  const box = inputOf(form, "remember");
  if (box) box.checked = values.remember ?? false;
}

/** Whether there is room for its fields; nobody logs in with what is not to be seen. */
export function isSeen(form: HTMLFormElement): boolean {
  return (inputOf(form, "username")?.offsetWidth ?? 0) > 0;
}

/** Whether something stands in a form that can be seen. */
function isTyped(form: HTMLFormElement): boolean {
  const { username, password } = valuesOf(form);
  return isSeen(form) && (username !== "" || password !== "");
}
