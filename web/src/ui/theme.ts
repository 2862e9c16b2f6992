import { usePrefs, type Theme } from "../state/prefs.ts";

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function followTheme(): void {
  apply(usePrefs.getState().theme);
  usePrefs.subscribe(({ theme }) => apply(theme));
}
