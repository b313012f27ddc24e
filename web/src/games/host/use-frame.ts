import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef, useState } from "react";

import { noteSeed } from "@/features/fairness/api";
import { addRound, roundsQuery } from "@/features/fairness/rounds";
import { balanceQuery } from "@/features/wallet/api";
import { errorText } from "@/lib/api/error-text";
import { isApiError } from "@/lib/api/client";
import type { Balance, Launch, Round } from "@/lib/api/types";
import { useLanguageTag, useT } from "@/lib/i18n/i18n";
import { newerBalance } from "@/lib/push/apply";
import { useTheme } from "@/lib/theme/theme";

import type { FromFrame, ToFrame } from "../protocol";
import type { HostedGame } from "./games";
import { type HostPort, openPort } from "./port";
import { isUnsure, roundStarter } from "./round";

type Options = {
  launch: Launch;
  game: HostedGame;
  balance: Balance;
  sound: boolean;
  onRound: (round: Round) => void;
};

/** Runs a game frame: hands it the port, makes its bets, and lets the balance move once a result was shown. */
export function useFrame(
  frame: RefObject<HTMLIFrameElement | null>,
  options: Options,
): { ready: boolean; onLoad: () => void } {
  const t = useT();
  const lang = useLanguageTag();
  const theme = useTheme();
  const client = useQueryClient();
  const [ready, setReady] = useState(false);
  const port = useRef<HostPort | null>(null);
  /** Rounds under way; null until the answer is there. The frame gets no balance meanwhile: it would tell the result. */
  const rounds = useRef(new Map<string, Round | null>());
  const left = useRef(false);
  const latest = useRef({ ...options, t, lang, theme });
  latest.current = { ...options, t, lang, theme };
  const [start] = useState(() => roundStarter(options.game.play));

  const tellBalance = (): void => {
    const known = client.getQueryData(balanceQuery.queryKey);
    if (known && rounds.current.size === 0) port.current?.send({ type: "balance", balance: known });
  };

  const play = async ({
    requestId,
    stake,
    choice,
  }: Extract<FromFrame, { type: "round.start" }>): Promise<void> => {
    rounds.current.set(requestId, null);
    try {
      const round = await start(requestId, stake, choice);
      rounds.current.set(requestId, round);
      if (left.current) shown(requestId);
      else port.current?.send({ type: "book", requestId, round });
    } catch (error) {
      rounds.current.delete(requestId);
      const { t: say } = latest.current;
      const text = isUnsure(error) ? say("game.unsure") : errorText(error, say);
      const code = isApiError(error) ? error.code : "server.internal";
      port.current?.send({ type: "refused", requestId, code, text });
      void client.invalidateQueries({ queryKey: balanceQuery.queryKey });
      void client.invalidateQueries({ queryKey: roundsQuery.queryKey });
    }
  };

  const shown = (requestId: string): void => {
    const round = rounds.current.get(requestId);
    if (!round) return;
    rounds.current.delete(requestId);
    const { balance: after } = round;
    if (after) client.setQueryData(balanceQuery.queryKey, (old) => newerBalance(old, after));
    addRound(client, round);
    noteSeed(client, round);
    tellBalance();
    latest.current.onRound(round);
  };

  const take = (message: FromFrame): void => {
    switch (message.type) {
      case "ready":
        return setReady(true);
      case "round.start":
        return void play(message);
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
    port.current = openPort(frame.current, take);
    port.current.send(initMessage(latest.current));
  };

  const { balance, sound } = options;
  useEffect(() => {
    if (rounds.current.size === 0) port.current?.send({ type: "balance", balance });
  }, [balance]);
  useEffect(() => port.current?.send({ type: "theme", theme }), [theme]);
  useEffect(() => port.current?.send({ type: "sound", on: sound }), [sound]);
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

  return { ready, onLoad };
}

type Latest = Options & { t: ReturnType<typeof useT>; lang: string; theme: "dark" | "light" };

function initMessage({ launch, game, balance, sound, t, lang, theme }: Latest): ToFrame {
  return {
    type: "init",
    game: launch.gameCode,
    lang,
    theme,
    currency: launch.currency,
    balance,
    limits: launch.limits,
    sound,
    messages: Object.fromEntries(game.messages.map((key) => [key, t(key)])),
  };
}
