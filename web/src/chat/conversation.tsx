import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Row } from "../state/rows.ts";
import { strings } from "../strings.ts";
import { RowView } from "./row.tsx";
import type { Shared } from "./shared.ts";

type Props = { rows: readonly Row[]; hasMore: boolean; oldest: string | undefined; shared: Shared; onOlder: () => Promise<void> };

const GUESS = 120;
/** Closer to the end than this, the list follows what is new. */
const NEAR_END = 60;

/** The conversation along the seam. Only what is in sight is mounted; the end stays in sight while it grows. */
export function Conversation({ rows, hasMore, oldest, shared, onOlder }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const [reading, setReading] = useState(false);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => GUESS,
    overscan: 4,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    paddingStart: 24,
    paddingEnd: 28,
    initialOffset: rows.length * GUESS,
    initialRect: { width: window.innerWidth, height: window.innerHeight - 130 },
  });

  useLayoutEffect(() => list.scrollToEnd({}), [list]);

  // The composer grows, a keyboard opens: whoever read the end still reads the end.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const lost = height - element.clientHeight;
      height = element.clientHeight;
      const distance = element.scrollHeight - element.scrollTop - element.clientHeight;
      if (lost > 0 && distance <= lost + NEAR_END) list.scrollToEnd({});
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [list]);

  const first = list.range?.startIndex ?? rows.length;
  useEffect(() => {
    if (!hasMore || first > 5) return;
    setReading(true);
    void onOlder().finally(() => setReading(false));
    // A page may bring nothing that is shown: then the next one is asked for.
  }, [hasMore, first, oldest, onOlder]);

  function onScroll() {
    const element = scroller.current;
    if (element) setAway(element.scrollHeight - element.scrollTop - element.clientHeight > 320);
  }

  return (
    <div className="stream-frame">
      {/* What is mounted changes while one scrolls, so the log itself is not announced: see Announcer. */}
      <div ref={scroller} className="stream" role="log" aria-live="off" aria-label={strings.conversation.label} tabIndex={0} onScroll={onScroll}>
        <div className="thread" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <div key={item.key} ref={list.measureElement} data-index={item.index} className="row" style={{ transform: `translateY(${item.start}px)` }}>
                  <RowView row={row} shared={shared} />
                </div>
              )
            );
          })}
        </div>
      </div>
      {reading && (
        <p className="older" role="status">
          {strings.conversation.older}
        </p>
      )}
      {away && (
        <button type="button" className="btn down" onClick={() => list.scrollToEnd({ behavior: "auto" })}>
          <ArrowDown size={16} strokeWidth={1.6} aria-hidden="true" />
          {strings.conversation.down}
        </button>
      )}
    </div>
  );
}
