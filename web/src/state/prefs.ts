/** What this browser remembers by itself: the theme, drafts, and texts that are on their way. */
import * as z from "zod/mini";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { readDrafts, type AnswerDraft } from "./answers.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** A text that was handed to the server. Its receipt says what became of it, and never repeats the text. */
export type Sent = { run: string; text: string; at: number };

const savedSchema = z.object({
  theme: z.catch(z.enum(themes), "system"),
  drafts: z.catch(z.record(z.string(), z.string()), {}),
  sent: z.catch(z.record(z.string(), z.object({ run: z.string(), text: z.string(), at: z.number() })), {}),
  answers: z.catch(z.record(z.string(), z.unknown()), {}),
  lastFolder: z.catch(z.string(), ""),
  showHidden: z.catch(z.boolean(), false),
});
export type Saved = Omit<z.output<typeof savedSchema>, "answers"> & { answers: Record<string, AnswerDraft> };

type Prefs = Saved & {
  setTheme: (theme: Theme) => void;
  setDraft: (run: string, text: string) => void;
  remember: (clientId: string, sent: Sent) => void;
  forget: (clientIds: string[]) => void;
  setAnswer: (key: string, draft: AnswerDraft) => void;
  forgetAnswers: (keys: readonly string[]) => void;
  setLastFolder: (folder: string) => void;
  setShowHidden: (shown: boolean) => void;
};

const DAY = 24 * 60 * 60 * 1000;

/** Whatever stands in the browser's storage, old or broken, becomes something that the page can use. */
export function readSaved(saved: unknown, now = Date.now()): Saved {
  const read = savedSchema.safeParse(typeof saved === "object" && saved !== null ? saved : {});
  const value = read.success ? read.data : { theme: "system" as const, drafts: {}, sent: {}, answers: {}, lastFolder: "", showHidden: false };
  const sent = Object.fromEntries(Object.entries(value.sent).filter(([, one]) => now - one.at < DAY));
  return { ...value, sent, answers: readDrafts(value.answers, now) };
}

const without = <T>(record: Record<string, T>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

export const usePrefs = create<Prefs>()(
  persist(
    (set) => ({
      ...readSaved({}),
      setTheme: (theme) => set({ theme }),
      setDraft: (run, text) =>
        set(({ drafts }) => ({ drafts: text === "" ? without(drafts, [run]) : { ...drafts, [run]: text } })),
      remember: (clientId, one) => set(({ sent }) => ({ sent: { ...sent, [clientId]: one } })),
      forget: (clientIds) => set(({ sent }) => ({ sent: without(sent, clientIds) })),
      setAnswer: (key, draft) => set(({ answers }) => ({ answers: { ...answers, [key]: draft } })),
      forgetAnswers: (keys) => set(({ answers }) => ({ answers: without(answers, keys) })),
      setLastFolder: (lastFolder) => set({ lastFolder }),
      setShowHidden: (showHidden) => set({ showHidden }),
    }),
    {
      name: "seamux",
      version: 1,
      partialize: ({ theme, drafts, sent, answers, lastFolder, showHidden }) => ({ theme, drafts, sent, answers, lastFolder, showHidden }),
      merge: (saved, current) => ({ ...current, ...readSaved(saved) }),
    },
  ),
);
