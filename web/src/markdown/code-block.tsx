import { CopyButton } from "../ui/copy-button.tsx";
import { strings } from "../strings.ts";

type Props = { text: string; language: string };

export function CodeBlock({ text, language }: Props) {
  return (
    <figure className="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={text} label={strings.copy.code} done={strings.copy.done} quiet />
      </figcaption>
      <pre tabIndex={0} role="group" aria-label={language || "code"}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
