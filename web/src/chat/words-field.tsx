import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from "react";

type Props = {
  ref?: RefObject<HTMLTextAreaElement | null>;
  label: string;
  value: string;
  onChange: (text: string) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
};

/** A field for a few words that grows with them. */
export function WordsField({ ref, label, value, onChange, onKeyDown }: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const field = ref ?? own;
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  }, [field, value]);
  return (
    <textarea
      ref={field}
      className="words"
      rows={1}
      value={value}
      aria-label={label}
      placeholder={label}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
