import { strings } from "../strings.ts";
import { readDiff } from "./diff-lines.ts";

type Props = { path: string; diff: string };

export function DiffView({ path, diff }: Props) {
  return (
    <div className="diff" tabIndex={0} role="group" aria-label={strings.diff.label(path)}>
      <div className="diff-lines">
        {readDiff(diff).lines.map((line, i) => (
          <div key={i} className={line.kind}>
            {line.text || " "}
          </div>
        ))}
      </div>
    </div>
  );
}
