import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect, type RefObject } from "react";
import type { Row } from "../state/rows.ts";

type List = Virtualizer<HTMLDivElement, Element>;
type Scroller = RefObject<HTMLDivElement | null>;

export const gapToEnd = (element: Element): number => element.scrollHeight - element.scrollTop - element.clientHeight;

/**
 * Ends a way to the end that is still under way. The list may also believe in a place that a short
 * conversation can't scroll to: no event of the browser tells it otherwise, so this one does.
 */
export function stay(element: Element, list: List): void {
  if (list.scrollOffset !== element.scrollTop) element.dispatchEvent(new Event("scroll"));
  list.scrollToOffset(element.scrollTop);
}

/** The composer grows, a keyboard opens: whoever read the end still reads the end. */
export function useKeptEnd(scroller: Scroller, list: List, near: number): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const lost = height - element.clientHeight;
      height = element.clientHeight;
      if (lost > 0 && gapToEnd(element) <= lost + near) list.scrollToEnd({});
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, list, near]);
}

/** A question that is taller than the screen is read from its title on, by whoever is at the end. */
export function useTallQuestion(scroller: Scroller, list: List, rows: readonly Row[], near: number): void {
  const at = rows.findLastIndex((row) => row.type === "dialog" && row.live);
  const key = rows[at]?.key;
  useEffect(() => {
    if (key === undefined) return undefined;
    let frame = 0;
    let looks = 0;
    // Its height is known only once it is drawn, and the list comes to rest after that.
    const look = () => {
      const element = scroller.current;
      const card = element?.querySelector<HTMLElement>(`.row[data-index="${at}"]`);
      looks += 1;
      if (!element || !card || looks < 4) {
        if (looks < 30) frame = requestAnimationFrame(look);
        return;
      }
      const tall = card.offsetHeight > element.clientHeight;
      if (tall && gapToEnd(element) <= near) list.scrollToIndex(at, { align: "start" });
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
    // Once for each question, wherever it stands by then.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, scroller, list, near]);
}

/** What a person has just sent comes in sight. */
export function useOwnWords(list: List, rows: readonly Row[], release: () => void): void {
  const last = rows.at(-1);
  const own = last?.type === "pending" ? last.key : undefined;
  useEffect(() => {
    if (own === undefined) return;
    release();
    list.scrollToEnd({});
    // Once for each text.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [own, list]);
}
