import { useEffect, useRef, useState } from "react";
import { useApp } from "../state/store.ts";
import { noThread, threadKey, type Thread } from "../state/thread.ts";
import { readSubagent } from "../state/threads.ts";
import { paced } from "./paced.ts";

const SPAN = 2000;

/**
 * What a subagent did, read when its card opens. The stream says nothing about these messages, so they
 * are read again when the call changes and, while the run works, whenever the run does: once in 2 s at most.
 */
export function useSubagent(run: string, agent: string, call: string): Thread {
  const thread = useApp((state) => state.threads[threadKey.agent(run, agent)]) ?? noThread;
  const summary = useApp((state) => state.runs?.[run]);
  const [ask] = useState(() => paced(() => void readSubagent(run, agent), SPAN));
  const seen = useRef({ call: "", working: false });
  useEffect(() => {
    const working = summary?.state === "working";
    // Its last words may have come with the change that ended the work.
    if (working || seen.current.working || seen.current.call !== call) ask();
    seen.current = { call, working };
  }, [summary, call, ask]);
  useEffect(() => ask.stop, [ask]);
  return thread;
}
