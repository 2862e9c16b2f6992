import { ChevronRight } from "lucide-react";
import type { Message } from "../api/schema.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings.ts";
import { useToggled } from "./toggled.ts";

export function Thinking({ message }: { message: Message }) {
  const [open, toggle] = useToggled(`thinking:${message.position}`, false);
  return (
    <div className="thinking">
      <button type="button" className="link" aria-expanded={open} onClick={toggle}>
        <ChevronRight className="chevron" size={16} strokeWidth={1.6} aria-hidden="true" />
        {open ? strings.thinking.hide : strings.thinking.show}
      </button>
      {open && <Markdown text={message.text ?? ""} />}
    </div>
  );
}
