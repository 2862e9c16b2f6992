/** What every row may need and no row owns. One object, so that rows stay memoised. */
export type Shared = {
  run: string;
  agent: string;
  /** The one who writes to the agent. Absent: the person. */
  you?: string;
  /** Where it stands: tells apart what was opened here from the same place elsewhere. */
  scope: string;
  attach: string | undefined;
  ended: boolean;
  now: number;
  hidden: boolean;
  /** Absent where a cut body cannot be read whole. */
  onWhole: ((position: string, epoch: string) => Promise<void>) | undefined;
  onFold: (key: string) => void;
  onEarlier: (epoch: string, open: boolean) => void;
  onBack: (clientId: string, text: string) => void;
  /** Words that found no other place go into the composer. */
  onWords: (text: string) => void;
  onDismiss: (clientId: string) => void;
};
