import { useEffect, useState, useSyncExternalStore } from "react";
import { asApiError, type ApiError } from "../api/http.ts";
import { readRoute, type Route } from "../state/route.ts";

function onHash(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function useRoute(): Route {
  return readRoute(useSyncExternalStore(onHash, () => location.hash));
}

export function useMedia(query: string): boolean {
  const list = window.matchMedia(query);
  return useSyncExternalStore(
    (listener) => {
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => list.matches,
  );
}

/** Runs something that may fail, and keeps what went wrong until the next try. */
export function useAction(): { busy: boolean; problem: ApiError | null; run: (action: () => Promise<unknown>) => Promise<boolean> } {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError | null>(null);
  async function run(action: () => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    setProblem(null);
    try {
      await action();
      return true;
    } catch (error) {
      setProblem(asApiError(error));
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, run };
}

/** Calls back when a press lands outside of the element, or on Escape. */
export function useDismiss(element: React.RefObject<HTMLElement | null>, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return undefined;
    const press = (event: PointerEvent) => {
      if (event.target instanceof Node && !element.current?.contains(event.target)) close();
    };
    const key = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    document.addEventListener("pointerdown", press);
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("pointerdown", press);
      document.removeEventListener("keydown", key);
    };
  }, [element, open, close]);
}
