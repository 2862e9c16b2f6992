import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type SyntheticEvent } from "react";
import type { Row } from "../state/rows.ts";
import { strings } from "../strings.ts";
import { RowView } from "./row.tsx";
import type { Shared } from "./shared.ts";
import { JumpButtons } from "./jump-buttons.tsx";
import { gapToEnd, stay, useKeptEnd, useOwnWords, useTallQuestion } from "./use-follow.ts";
import { useShownRow } from "./use-jump.ts";
import { useQuestions } from "./use-questions.ts";

type Props = {
  rows: readonly Row[];
  hasMore: boolean;
  oldest: string | undefined;
  /** The row that the address names. */
  marked: string | undefined;
  shared: Shared;
  onOlder: () => Promise<void>;
};

const GUESS = 120;
/** Closer to the end than this, the list follows what is new. */
const NEAR_END = 60;

/** The conversation along the seam. Only what is in sight is mounted; the end stays in sight while it grows. */
export function Conversation({ rows, hasMore, oldest, marked, shared, onOlder }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const [reading, setReading] = useState(false);
  /** Something was opened at the end: it is read from its top, so the list does not follow what grows below. */
  const [held, setHeld] = useState(false);
  const height = window.innerHeight - 130;
  const list = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => GUESS,
    overscan: 4,
    anchorTo: "end",
    followOnAppend: !held,
    // Also less than nothing: a list that is shorter than the screen is beyond its end.
    scrollEndThreshold: held ? Number.NEGATIVE_INFINITY : NEAR_END,
    paddingStart: 36,
    paddingEnd: 28,
    initialOffset: Math.max(0, rows.length * GUESS - height),
    initialRect: { width: window.innerWidth, height },
  });

  useLayoutEffect(() => list.scrollToEnd({}), [list]);
  useKeptEnd(scroller, list, NEAR_END);
  useTallQuestion(scroller, list, rows, NEAR_END);
  useOwnWords(list, rows, () => setHeld(false));
  useShownRow(scroller, list, rows, marked, () => setHeld(true));

  const questions = useQuestions(scroller, list, rows, useCallback(() => setHeld(true), []));

  const first = list.range?.startIndex ?? rows.length;
  useEffect(() => {
    if (!hasMore || first > 5) return;
    setReading(true);
    void onOlder().finally(() => setReading(false));
    // A page may bring nothing that is shown: then the next one is asked for.
  }, [hasMore, first, oldest, onOlder]);

  /** A person moves: whether the list follows is theirs to say again. */
  const release = () => held && setHeld(false);

  function onScroll() {
    const element = scroller.current;
    if (!element) return;
    const gap = gapToEnd(element);
    setAway(gap > 320);
    if (gap < 4) release();
    questions.look();
  }
  function onClickCapture(event: SyntheticEvent) {
    const element = scroller.current;
    if (!element || !(event.target instanceof Element) || !event.target.closest("[aria-expanded]")) return;
    setHeld(true);
    stay(element, list);
  }

  return (
    <div className="stream-frame">
      {/* What is mounted changes while one scrolls, so the log itself is not announced: see Announcer. */}
      <div
        ref={scroller}
        className="stream"
        role="log"
        aria-live="off"
        aria-label={strings.conversation.label}
        tabIndex={0}
        onScroll={onScroll}
        onClickCapture={onClickCapture}
        onWheel={release}
        onTouchMove={release}
      >
        <div className="thread" style={{ height: list.getTotalSize() }}>
          {reading && (
            <p className="older" role="status">
              <i className="dot working" aria-hidden="true" />
              {strings.conversation.older}
            </p>
          )}
          {list.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <div
                  key={item.key}
                  ref={list.measureElement}
                  data-index={item.index}
                  className={row.key === marked ? "row marked" : "row"}
                  tabIndex={row.key === marked ? -1 : undefined}
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <RowView row={row} shared={shared} />
                </div>
              )
            );
          })}
        </div>
      </div>
      <JumpButtons
        away={away}
        questions={questions.away}
        onQuestion={questions.go}
        onEnd={() => {
          release();
          list.scrollToEnd({ behavior: "auto" });
        }}
      />
    </div>
  );
}
