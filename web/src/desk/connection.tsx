import type { StreamStatus } from "../api/stream.ts";
import { strings } from "../strings.ts";

type Props = { status: StreamStatus; runs: number };

const words = strings.connection;

export function Connection({ status, runs }: Props) {
  const lost = status === "lost";
  return (
    <p className={`connection ${status}`} role="status">
      <i aria-hidden="true" />
      <span>{lost ? words.lost : status === "live" ? words.live : words.connecting}</span>
      {!lost && <span className="count">{words.count(runs)}</span>}
    </p>
  );
}
