/**
 * How the generated schemas read what the server says.
 *
 * A server newer than this page may send fields, words and kinds that it does not
 * know: unknown fields are dropped, unknown words become "unknown", and an item of
 * a list that cannot be read is left out instead of spoiling the list.
 */
import * as z from "zod/mini";

export const text = z.string();
export const word = <const T extends readonly string[]>(words: T) => z.catch(z.enum([...words, "unknown"]), "unknown");

/** Absent, or null: the same to the page. */
export const maybe = <T extends z.ZodMiniType>(schema: T) =>
  z.optional(z.pipe(z.nullable(schema), z.transform((value) => value ?? undefined)));

export function list<T extends z.ZodMiniType>(item: T) {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((items): z.output<T>[] =>
      items.flatMap((one) => {
        const read = item.safeParse(one);
        return read.success ? [read.data] : [];
      }),
    ),
  );
}
