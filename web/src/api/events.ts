/** One change from the event stream, read from its name and its data. */
import * as z from "zod/mini";
import { changeShapes } from "./wire.gen.ts";

const shapes = { ...changeShapes, heartbeat: z.object({}) } as const;

type Shapes = typeof shapes;
export type Change = { [K in keyof Shapes]: { name: K } & z.output<Shapes[K]> }[keyof Shapes];

/** Null for a kind that this page does not know, or data that it cannot read: the stream goes on. */
export function readChange(name: string, data: string): Change | null {
  if (!Object.hasOwn(shapes, name)) return null;
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return null;
  }
  const read = shapes[name as keyof Shapes].safeParse(json);
  return read.success ? ({ name, ...read.data } as Change) : null;
}
