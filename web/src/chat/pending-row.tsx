import type { Pending } from "../state/outbox.ts";
import { strings } from "../strings.ts";
import type { Shared } from "./shared.ts";

type Props = { pending: Pending } & Pick<Shared, "onBack" | "onDismiss">;

/** A text on its way into the agent's record. */
export function PendingBody({ pending, onBack, onDismiss }: Props) {
  const { clientId, text, status, detail } = pending;
  const failed = status === "failed";
  return (
    <>
      <div className={failed ? "bubble failed" : "bubble pending"}>{text}</div>
      {failed && (
        <div className="failure" role="alert">
          <p>{detail ?? strings.receipt.failedHint}</p>
          <button type="button" className="btn" onClick={() => onBack(clientId, text)}>
            {strings.receipt.back}
          </button>
          <button type="button" className="btn ghost" onClick={() => onDismiss(clientId)}>
            {strings.receipt.dismiss}
          </button>
        </div>
      )}
    </>
  );
}
