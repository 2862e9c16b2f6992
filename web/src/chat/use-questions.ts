import type { Virtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useState, type RefObject } from "react";
import type { Row } from "../state/rows.ts";

type List = Virtualizer<HTMLDivElement, Element>;
type Scroller = RefObject<HTMLDivElement | null>;

/** Less than this much of a card in sight is out of sight. */
const SLIVER = 56;

const waiting = (rows: readonly Row[]) => rows.flatMap((row, at) => (row.type === "dialog" && row.live ? [{ id: row.dialog.id, at }] : []));

const isWriting = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
/** A radio or a checkbox is no place to write in. */
const isMark = (target: EventTarget | null) => target instanceof HTMLInputElement && /^(radio|checkbox)$/.test(target.type);

/** Gives a card the focus once it is drawn. */
function focusCard(scroller: Scroller, id: string, looks = 20): void {
  const card = [...(scroller.current?.querySelectorAll<HTMLElement>("[data-dialog]") ?? [])].find((one) => one.dataset["dialog"] === id);
  if (card) card.focus({ preventScroll: true });
  else if (looks > 0) requestAnimationFrame(() => focusCard(scroller, id, looks - 1));
}

/** The ways to the questions that wait: how many are out of sight, and a jump to the next one. */
export function useQuestions(scroller: Scroller, list: List, rows: readonly Row[], onJump: () => void): { away: number; look: () => void; go: () => void } {
  const [away, setAway] = useState(0);

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const [top, bottom] = [element.scrollTop, element.scrollTop + element.clientHeight];
    const hidden = waiting(rows).filter(({ at }) => {
      const item = list.measurementsCache[at];
      return item !== undefined && (item.end < top + SLIVER || item.start > bottom - SLIVER);
    });
    setAway(hidden.length);
  }, [scroller, list, rows]);

  const go = useCallback(() => {
    const all = waiting(rows);
    const here = document.activeElement?.closest<HTMLElement>("[data-dialog]")?.dataset["dialog"];
    const next = all[(all.findIndex(({ id }) => id === here) + 1) % all.length];
    if (!next) return;
    onJump();
    list.scrollToIndex(next.at, { align: "start" });
    focusCard(scroller, next.id);
  }, [scroller, list, rows, onJump]);

  useEffect(() => {
    // Heights are known a moment after the rows.
    const timer = setTimeout(look, 80);
    return () => clearTimeout(timer);
  }, [look]);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (key !== "d" || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      if ((isWriting(target) && !isMark(target)) || document.querySelector("dialog[open]")) return;
      if (waiting(rows).length === 0) return;
      event.preventDefault();
      go();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [rows, go]);

  return { away, look, go };
}
