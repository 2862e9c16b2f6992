import { useEffect, useMemo, useState } from "react";
import { client } from "../api/client.ts";
import type { ApiError } from "../api/http.ts";
import type { AuditEntry } from "../api/schema.ts";
import { paced } from "../chat/paced.ts";
import { readAudit, withReceipts } from "../state/audit.ts";
import { noted } from "../state/live.ts";
import { useApp } from "../state/store.ts";

const SPAN = 1000;
const nothing = {};

type Read = { raw: readonly unknown[]; entries: AuditEntry[] };

/** The audit of a run, as new as the stream is. */
export function useAudit(run: string): { raw: readonly unknown[]; entries: AuditEntry[] | undefined; problem: ApiError | undefined; again: () => void } {
  const receipts = useApp((state) => state.conversations[run]?.receipts) ?? nothing;
  const [read, setRead] = useState<Read | undefined>();
  const [problem, setProblem] = useState<ApiError | undefined>();
  const [ask] = useState(() =>
    paced(() => {
      setProblem(undefined);
      void client.audit(run).then(
        (raw) => setRead({ raw, entries: readAudit(raw) }),
        (error: unknown) => setProblem(noted(error)),
      );
    }, SPAN),
  );
  const fresh = useMemo(() => read && withReceipts(read.entries, receipts), [read, receipts]);
  const stale = fresh === null;
  useEffect(() => {
    ask();
    return ask.stop;
  }, [ask]);
  useEffect(() => {
    if (stale) ask();
    // Each new receipt asks once; paced, so that many ask once.
  }, [stale, receipts, ask]);
  return { raw: read?.raw ?? [], entries: fresh ?? read?.entries, problem, again: ask };
}
