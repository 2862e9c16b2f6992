import type { ApiError } from "../api/http.ts";

/** What every row may need and no row owns. One object, so that rows stay memoised. */
export type Shared = {
  agent: string;
  attach: string | undefined;
  ended: boolean;
  now: number;
  onWhole: (position: string) => Promise<void>;
  onBack: (clientId: string, text: string) => void;
  onDismiss: (clientId: string) => void;
};

export type Failure = ApiError | null;
