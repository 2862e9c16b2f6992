import type { Shared } from "../chat/shared.ts";

/** What rows need, for tests that draw them. */
export const sampleShared = (change: Partial<Shared> = {}): Shared => ({
  run: "r1",
  scope: "r1",
  agent: "Agent",
  attach: "tmux attach",
  ended: false,
  now: 0,
  hidden: false,
  onWhole: async () => {},
  onFold: () => {},
  onEarlier: () => {},
  onBack: () => {},
  onWords: () => {},
  onDismiss: () => {},
  ...change,
});
