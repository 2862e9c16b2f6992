import { CopyButton } from "../ui/copy-button.tsx";
import { strings } from "../strings.ts";

type Props = { text: string; language: string };

const kinds: Record<string, string> = { "+": "add", "-": "del", "@": "hunk" };

/** The lines of a change. The sign before each says it too, so that colour is not alone. */
function Changes({ text }: { text: string }) {
  return text.split("\n").map((line, i) => (
    <span key={i} className={kinds[line.charAt(0)] ?? "same"}>
      {`${line}\n`}
    </span>
  ));
}

export function CodeBlock({ text, language }: Props) {
  return (
    <figure className="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={text} label={strings.copy.code} done={strings.copy.done} quiet />
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={language || "code"}>
        <code>{language === "diff" ? <Changes text={text} /> : text}</code>
      </pre>
    </figure>
  );
}
