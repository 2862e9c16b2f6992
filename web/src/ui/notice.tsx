import type { ReactNode } from "react";

type Props = { title: string; hint?: string | undefined; children?: ReactNode; busy?: boolean; /** It is all there is on the page. */ alone?: boolean };

/** A designed state in place of content: empty, loading, not found. */
export function Notice({ title, hint, children, busy = false, alone = false }: Props) {
  const Title = alone ? "h1" : "p";
  return (
    <div className="notice" role={busy ? "status" : undefined}>
      <i className={busy ? "stitch busy" : "stitch"} aria-hidden="true" />
      <Title className="notice-title">{title}</Title>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
