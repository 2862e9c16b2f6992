/** A unified diff as lines with a meaning. Pure. */
export type DiffLine = { kind: "add" | "del" | "same" | "hunk"; text: string };
export type Diff = { lines: DiffLine[]; added: number; removed: number };

const isHeader = (line: string) => /^(?:diff |index |new file |deleted file |similarity |rename |--- |\+\+\+ )/.test(line);

export function readDiff(diff: string): Diff {
  const lines: DiffLine[] = [];
  let added = 0;
  let removed = 0;
  let inHunk = false;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("@@")) {
      inHunk = true;
      lines.push({ kind: "hunk", text: line });
    } else if (!inHunk && isHeader(line)) {
      continue;
    } else if (line.startsWith("+")) {
      added += 1;
      lines.push({ kind: "add", text: line });
    } else if (line.startsWith("-")) {
      removed += 1;
      lines.push({ kind: "del", text: line });
    } else if (line.startsWith("diff ")) {
      inHunk = false;
    } else if (!line.startsWith("\\")) {
      lines.push({ kind: "same", text: line });
    }
  }
  return { lines, added, removed };
}
