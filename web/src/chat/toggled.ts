import { useState } from "react";

// A row that scrolls out of sight is unmounted. What a person opened stays open all the same.
const remembered = new Map<string, boolean>();

export function useToggled(key: string, standard: boolean): [boolean, () => void] {
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
