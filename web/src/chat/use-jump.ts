import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useState, type RefObject } from "react";
import { findMessage, rowOf } from "../state/jump.ts";
import type { Target } from "../state/route.ts";
import type { Row } from "../state/rows.ts";
import type { Shared } from "./shared.ts";

export type Jump = { state: "looking" | "missing" | "there" | "none"; row: string | undefined; stop: () => void };

/** Goes to the message that the address names: reads on until it is there, and gives its row. */
export function useJump({ run, onFold }: Pick<Shared, "run" | "onFold">, rows: readonly Row[], target: Target | undefined): Jump {
  const { epoch, position } = target ?? {};
  const name = `${epoch ?? ""}/${position ?? ""}`;
  const [done, setDone] = useState<{ name: string; state: Jump["state"] }>({ name: "/", state: "none" });
  const state = done.name === name ? done.state : "looking";
  useEffect(() => {
    if (epoch === undefined || position === undefined) return undefined;
    const controller = new AbortController();
    void findMessage(run, { epoch, position }, controller.signal).then((found) => {
      if (!controller.signal.aborted) setDone({ name, state: found ? "there" : "missing" });
    });
    return () => controller.abort();
  }, [run, epoch, position, name]);
  const place = state === "there" && target ? rowOf(rows, target) : {};
  const { fold } = place;
  useEffect(() => {
    if (fold !== undefined) onFold(fold);
  }, [fold, onFold]);
  return { state: target ? state : "none", row: place.row, stop: () => setDone({ name, state: "none" }) };
}

/** Brings a row in sight and gives it the focus, once. */
export function useShownRow(scroller: RefObject<HTMLElement | null>, list: Virtualizer<HTMLDivElement, Element>, rows: readonly Row[], key: string | undefined, onShow: () => void): void {
  useEffect(() => {
    const at = rows.findIndex((row) => row.key === key);
    if (key === undefined || at < 0) return undefined;
    onShow();
    list.scrollToIndex(at, { align: "center" });
    let looks = 30;
    let frame = 0;
    // It is drawn a moment after the list went there.
    const look = () => {
      const row = scroller.current?.querySelector<HTMLElement>(`.row[data-index="${at}"]`);
      looks -= 1;
      if (row) row.focus({ preventScroll: true });
      else if (looks > 0) frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
    // Once for each row: what comes later moves nobody.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, list, scroller]);
}
