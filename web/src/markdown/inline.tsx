import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { decode, safeHref } from "./safe.ts";

function Anchor({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeHref(href);
  if (safe === null) return <>{children}</>;
  const outside = safe.startsWith("#") ? {} : { target: "_blank", rel: "noopener noreferrer nofollow" };
  return (
    <a href={safe} {...outside}>
      {children}
    </a>
  );
}

function one(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Anchor href={token.href}>{inline(token.tokens)}</Anchor>;
    case "image":
      // An image would call home, so it is shown as a link.
      return <Anchor href={token.href}>{decode(token.text || token.href)}</Anchor>;
    case "checkbox":
      return <input type="checkbox" checked={(token as Tokens.Checkbox).checked} readOnly tabIndex={-1} aria-hidden="true" />;
    case "escape":
      return token.text;
    case "text":
      return "tokens" in token && token.tokens ? inline(token.tokens) : decode(token.text);
    default:
      // Raw HTML, and whatever comes one day: its source, as text.
      return token.raw;
  }
}

export function inline(tokens: readonly Token[] | undefined): ReactNode {
  return tokens?.map((token, index) => <Fragment key={index}>{one(token)}</Fragment>);
}
