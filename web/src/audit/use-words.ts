import { useEffect, useMemo, useRef, useState } from "react";
import { client } from "../api/client.ts";
import type { AuditEntry } from "../api/schema.ts";
import { provedBy } from "../state/audit.ts";
import type { Conversation } from "../state/conversation.ts";
import { useApp } from "../state/store.ts";

/**
 * The words of replies that stand in the record and nowhere else: from what is loaded, else read from
 * there one by one, and only for what is shown. Null: they cannot be read.
 */
export function useWords(run: string, shown: readonly AuditEntry[]): Readonly<Record<string, string | null>> {
  const conversation = useApp((state) => state.conversations[run]);
  const [read, setRead] = useState<Record<string, string | null>>({});
  const asked = useRef(new Set<string>());
  const epoch = conversation?.epoch ?? "";

  const { loaded, missing } = useMemo(() => split(shown, conversation, epoch), [shown, conversation, epoch]);
  useEffect(() => {
    const controller = new AbortController();
    void (async () => {
      for (const entry of missing) {
        const target = provedBy(entry, epoch);
        if (controller.signal.aborted || !target || asked.current.has(entry.id)) continue;
        asked.current.add(entry.id);
        const text = await client.whole(run, target.position, target.epoch).then(
          (message) => message.text ?? null,
          () => null,
        );
        setRead((had) => ({ ...had, [entry.id]: text }));
      }
    })();
    return () => controller.abort();
  }, [run, epoch, missing]);
  return { ...read, ...loaded };
}

function split(shown: readonly AuditEntry[], conversation: Conversation | undefined, epoch: string): { loaded: Record<string, string>; missing: AuditEntry[] } {
  const loaded: Record<string, string> = {};
  const missing = shown.filter((entry) => {
    const target = provedBy(entry, epoch);
    if (entry.kind !== "reply" || entry.text !== undefined || !target) return false;
    const here = target.epoch === epoch ? conversation?.messages.find(({ position }) => position === target.position) : undefined;
    if (here?.text === undefined) return true;
    loaded[entry.id] = here.text;
    return false;
  });
  return { loaded, missing };
}
