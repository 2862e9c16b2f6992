import type { ReactNode } from "react";
import { at } from "../format.ts";
import type { Row } from "../state/rows.ts";

type Props = { row: Row; name: string; now: number; after?: ReactNode; children: ReactNode };

/** One part of a turn beside the seam. Only the part that opens the turn has a stitch and a name. */
export function Turn({ row, name, now, after, children }: Props) {
  const kind = row.type === "dialog" && !row.live ? "settled" : row.speaker;
  const time = at(row.time, now);
  return (
    <article className={`turn ${kind}${row.opens ? " opens" : ""}${row.nested ? " nested" : ""}${row.left ? " left" : ""}`}>
      {row.opens && (
        <header className="who">
          <h2>{name}</h2>
          {time !== "" && <time dateTime={row.time}>{time}</time>}
          {after}
        </header>
      )}
      {children}
    </article>
  );
}
