import { useEffect, useRef, type RefObject } from "react";
import type { Queueing } from "../state/queue.ts";

const steps: Record<string, -1 | 1 | undefined> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * What has the focus may go: an entry is sent, removed or moved, an editor closes. The focus then stays
 * in the queue: with the entry that had it, else with the note about it, else with the queue itself.
 */
export function useQueueFocus(panel: RefObject<HTMLElement | null>, queueing: Queueing, order: string): void {
  const had = useRef<{ entry: string | undefined; act: string | undefined } | null>(null);
  useEffect(() => {
    const element = panel.current;
    if (!element) return undefined;
    const onIn = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target === element) return;
      had.current = { entry: target.closest<HTMLElement>("[data-entry]")?.dataset["entry"], act: target.dataset["act"] };
    };
    // Gone from the page, it leaves no place to go to; a person who leaves does.
    const onOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element.contains(relatedTarget)) had.current = null;
    };
    element.addEventListener("focusin", onIn);
    element.addEventListener("focusout", onOut);
    return () => {
      element.removeEventListener("focusin", onIn);
      element.removeEventListener("focusout", onOut);
    };
  }, [panel]);
  const { editing, note } = queueing;
  useEffect(() => {
    const element = panel.current;
    const last = had.current;
    const active = document.activeElement;
    // The queue itself has it while the note about an entry that has gone is still on its way.
    if (!element || !last || (active !== document.body && active !== element)) return;
    const own = [...element.querySelectorAll<HTMLElement>("[data-entry]")].find((one) => one.dataset["entry"] === last.entry);
    const next = own?.querySelector<HTMLElement>(`[data-act="${last.act ?? "edit"}"]`) ?? own?.querySelector<HTMLElement>("button") ?? element.querySelector<HTMLElement>('[data-act="undo"]');
    (next ?? element).focus({ preventScroll: true });
  }, [panel, order, editing, note]);
}

/** With the focus on anything in an entry but its words, Alt and an arrow move it. Escape leaves the editor. */
export function useQueueKeys(panel: RefObject<HTMLElement | null>, onMove: (id: string, step: -1 | 1) => void, onCancel: () => void): void {
  useEffect(() => {
    const element = panel.current;
    if (!element) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { key, altKey, ctrlKey, metaKey, target } = event;
      if (key === "Escape" && !event.isComposing && target instanceof HTMLElement && target.closest(".held-edit")) {
        event.preventDefault();
        return onCancel();
      }
      const step = steps[key];
      if (step === undefined || !altKey || ctrlKey || metaKey || !(target instanceof HTMLElement) || target instanceof HTMLTextAreaElement) return undefined;
      const id = target.closest<HTMLElement>("[data-entry]")?.dataset["entry"];
      if (id === undefined) return undefined;
      event.preventDefault();
      return onMove(id, step);
    };
    element.addEventListener("keydown", onKey);
    return () => element.removeEventListener("keydown", onKey);
  }, [panel, onMove, onCancel]);
}
