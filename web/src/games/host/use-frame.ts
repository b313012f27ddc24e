import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";

import { noteSeed } from "@/features/fairness/api";
import { addRound, roundsQuery } from "@/features/fairness/rounds";
import { balanceQuery } from "@/features/wallet/api";
import { errorText } from "@/lib/api/error-text";
import { isApiError } from "@/lib/api/client";
import type { Balance, Launch } from "@/lib/api/types";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { loadPart } from "@/lib/lazy";
import { newerBalance } from "@/lib/push/apply";
import { useTheme } from "@/lib/theme/theme";

import type { FromFrame, GameRound, ToFrame } from "../protocol";
import { type PlayedRound, act, openRound, playOf } from "./api";
import { BalanceHold } from "./balance-hold";
import { type HostPort, openPort } from "./port";
import { isAstray, isUnsure, roundCalls } from "./round";
import { loadWords } from "./words";

type Options = {
  launch: Launch;
  balance: Balance;
  sound: boolean;
  jackpot: string | null;
  /** A round of earlier that is to be shown once more. */
  replay: PlayedRound | null;
  onRound: (round: PlayedRound) => void;
};

/** Runs a game frame: hands it the port, makes its bets, and lets the balance move once a result was shown. */
export function useFrame(
  frame: RefObject<HTMLIFrameElement | null>,
  options: Options,
): { ready: boolean; height: number; onLoad: () => void } {
  const { gameCode } = options.launch;
  const t = useT();
  const lang = useLanguageTag();
  const theme = useTheme();
  const client = useQueryClient();
  const [ready, setReady] = useState(false);
  const [height, setHeight] = useState(0);
  const port = useRef<HostPort | null>(null);
  /** Rounds under way; null until the answer is there. The frame gets no balance meanwhile: it would tell the result. */
  const rounds = useRef(new Map<string, PlayedRound | null>());
  const left = useRef(false);
  const latest = useRef({ ...options, t, lang, theme });
  latest.current = { ...options, t, lang, theme };
  const [hold] = useState(() => new BalanceHold(client));
  const [calls] = useState(() => roundCalls({ play: playOf(gameCode), act }));

  const tellBalance = (): void => {
    const known = client.getQueryData(balanceQuery.queryKey);
    if (known && rounds.current.size === 0) port.current?.send({ type: "balance", balance: known });
  };

  /** Nothing is being shown any more: the page may tell the balance. */
  const release = (): void => {
    if (rounds.current.size === 0) hold.release();
  };

  /** The round as the server has it, for a frame that believes something else. */
  const tellOpen = async (): Promise<void> => {
    const round = await openRound(gameCode).catch(() => undefined);
    if (round !== undefined) port.current?.send({ type: "resume", round: round && bare(round) });
  };

  const follow = async (requestId: string, call: Promise<PlayedRound>): Promise<void> => {
    rounds.current.set(requestId, null);
    hold.hold();
    try {
      const round = await call;
      rounds.current.set(requestId, round);
      if (left.current) shown(requestId);
      else port.current?.send({ type: "book", requestId, round: bare(round) });
    } catch (error) {
      rounds.current.delete(requestId);
      release();
      const { t: say } = latest.current;
      const text = isUnsure(error) ? say("game.unsure") : errorText(error, say);
      const code = isApiError(error) ? error.code : "server.internal";
      port.current?.send({ type: "refused", requestId, code, text });
      if (isAstray(error)) void tellOpen();
      void client.invalidateQueries({ queryKey: balanceQuery.queryKey });
      void client.invalidateQueries({ queryKey: roundsQuery.queryKey });
    }
  };

  const shown = (requestId: string): void => {
    const round = rounds.current.get(requestId);
    if (!round) return;
    rounds.current.delete(requestId);
    release();
    const { balance: after } = round;
    if (after) client.setQueryData(balanceQuery.queryKey, (old) => newerBalance(old, after));
    if (round.state !== "open") addRound(client, round);
    noteSeed(client, round);
    tellBalance();
    latest.current.onRound(round);
  };

  const take = (message: FromFrame): void => {
    switch (message.type) {
      case "ready":
        return setReady(true);
      case "round.start": {
        const { requestId, stake, choice } = message;
        return void follow(requestId, calls.start(requestId, stake, choice));
      }
      case "round.act": {
        const { requestId, roundId, step, action } = message;
        return void follow(requestId, calls.act(requestId, roundId, step, action));
      }
      case "size":
        return setHeight(message.height);
      case "round.shown":
        return shown(message.requestId);
      default:
        message satisfies never;
    }
  };

  const onLoad = (): void => {
    if (!frame.current) return;
    port.current?.close();
    setReady(false);
    // A frame that loads anew shows nothing of what the one before asked for.
    for (const requestId of rounds.current.keys()) shown(requestId);
    const opened = openPort(frame.current, take);
    port.current = opened;
    void Promise.all([loadPart(() => loadWords(gameCode)), openRound(gameCode).catch(() => null)])
      .then(([messages, open]) => opened.send(initMessage(latest.current, messages, open)))
      .catch(() => undefined);
  };

  const { balance, sound, jackpot, replay } = options;
  useEffect(() => {
    if (rounds.current.size === 0) port.current?.send({ type: "balance", balance });
  }, [balance]);
  useEffect(() => port.current?.send({ type: "theme", theme }), [theme]);
  useEffect(() => port.current?.send({ type: "sound", on: sound }), [sound]);
  useEffect(() => {
    if (jackpot !== null) port.current?.send({ type: "jackpot", amount: jackpot });
  }, [jackpot]);
  useEffect(() => {
    if (ready && replay) port.current?.send({ type: "replay", round: bare(replay) });
  }, [ready, replay]);
  useEffect(() => {
    const open = rounds.current;
    left.current = false;
    return () => {
      left.current = true;
      port.current?.close();
      // Left in the middle of a round: the result is not shown any more, the balance is.
      for (const requestId of open.keys()) shown(requestId);
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the page is left
  }, []);

  return { ready, height, onLoad };
}

type Latest = Options & { t: ReturnType<typeof useT>; lang: string; theme: "dark" | "light" };

function initMessage(
  { launch, balance, sound, jackpot, lang, theme }: Latest,
  messages: Readonly<Record<string, string>>,
  open: PlayedRound | null,
): ToFrame {
  return {
    type: "init",
    game: launch.gameCode,
    lang,
    theme,
    currency: launch.currency,
    balance,
    limits: launch.limits,
    returnPercent: launch.returnPercent,
    sound,
    autoPlay: launch.autoPlay,
    openRound: open && bare(open),
    jackpot,
    messages,
  };
}

/** What the frame needs of a round; seeds and balance stay with the page. */
function bare(round: PlayedRound): GameRound {
  const { id, gameCode, stake, payout, choice, actions, book, state, cashOut, jackpot } = round;
  return { id, gameCode, stake, payout, choice, actions, book, state, cashOut, jackpot };
}
