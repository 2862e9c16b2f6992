import { useEffect, useRef, type RefObject } from "react";
import type { Stage } from "./dialog-stage.ts";

type Card = RefObject<HTMLElement | null>;

/** While the focus is in the card and nobody writes, a digit chooses what carries it. */
export function useDigits(card: Card, active: boolean): void {
  useEffect(() => {
    const element = card.current;
    if (!element || !active) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (target instanceof HTMLTextAreaElement || ctrlKey || metaKey || altKey || !/^[1-9]$/.test(key)) return;
      const pressed = element.querySelector<HTMLElement>(`[data-digit="${key}"]`);
      if (!pressed) return;
      event.preventDefault();
      pressed.focus({ preventScroll: true });
      pressed.click();
    };
    element.addEventListener("keydown", onKey);
    return () => element.removeEventListener("keydown", onKey);
  }, [card, active]);
}

/** What became of the answer replaces the form that had the focus: the card takes it, so that it is not lost. */
export function useKeptFocus(card: Card, stage: Stage): void {
  const sent = useRef(false);
  useEffect(() => {
    if (stage === "sending") sent.current = true;
    else if (sent.current) {
      sent.current = false;
      if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
    }
  }, [card, stage]);
}
