import type { Choice } from "../api/schema.ts";

/** The plain words that a provider gives for one of its values; the value itself if it gives none. */
export function labelOf(choices: readonly Choice[] | undefined, id: string | undefined): string | undefined {
  if (id === undefined || id === "") return undefined;
  return choices?.find((choice) => choice.id === id)?.label ?? id;
}
