import type { ReactNode } from "react";

type Props = { title: string; hint?: string | undefined; children?: ReactNode; busy?: boolean };

/** A designed state in place of content: empty, loading, not found. */
export function Notice({ title, hint, children, busy = false }: Props) {
  return (
    <div className="notice" role={busy ? "status" : undefined}>
      <i className={busy ? "stitch busy" : "stitch"} aria-hidden="true" />
      <p className="notice-title">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}
