/** One change from the event stream, read from its name and its data. */
import * as z from "zod/mini";
import { dialogSchema, messageSchema, queuedSchema, receiptSchema, runSchema, tailSchema } from "./schema.ts";

const id = z.string();
const shapes = {
  "run.changed": z.object({ run: runSchema }),
  "run.removed": z.object({ id }),
  "message.upsert": z.object({ run_id: id, epoch: id, message: messageSchema }),
  receipt: z.object({ run_id: id, receipt: receiptSchema }),
  "dialog.changed": z.object({ run_id: id, pending_dialogs: z.array(dialogSchema) }),
  "queue.changed": z.object({ run_id: id, queued: z.array(queuedSchema) }),
  "epoch.changed": z.object({ run_id: id, epoch: id }),
  "tail.changed": z.object({ run_id: id, epoch: id, tail: z.nullable(tailSchema) }),
  heartbeat: z.object({}),
  resync: z.object({ run: z.optional(z.nullable(id)) }),
} as const;

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
