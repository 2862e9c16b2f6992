import { useCallback, useContext, useState } from "react";
import { PlaceContext } from "./place.ts";

// A row that scrolls out of sight is unmounted. What a person opened stays open all the same.
const remembered = new Map<string, boolean>();
const folds = new Map<string, ReadonlySet<string>>();
const noFolds: ReadonlySet<string> = new Set();

/** The same key in another conversation is another thing. */
export function useToggled(name: string, standard: boolean): [boolean, () => void] {
  const key = `${useContext(PlaceContext)?.scope ?? ""}/${name}`;
  const [choice, setChoice] = useState(() => remembered.get(key));
  const open = choice ?? standard;
  return [
    open,
    () => {
      remembered.set(key, !open);
      setChoice(!open);
    },
  ];
}

/** The folds of one conversation that are open. */
export function useFolds(scope: string): [ReadonlySet<string>, (key: string) => void] {
  const [open, setOpen] = useState(() => folds.get(scope) ?? noFolds);
  const toggle = useCallback(
    (key: string) =>
      setOpen((had) => {
        const next = new Set(had);
        if (!next.delete(key)) next.add(key);
        folds.set(scope, next);
        return next;
      }),
    [scope],
  );
  return [open, toggle];
}
