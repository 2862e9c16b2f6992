import { usePrefs, type Theme } from "../state/prefs.ts";

/** What the browser draws around the page. The same as --paper in tokens.css. */
export const papers = { light: "#fbfaf8", dark: "#151412" } as const;

/** Each of the two tags stands for one scheme of the system; a choice overrules both. */
function colourBrowser(theme: Theme): void {
  for (const tag of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = tag.media.includes("dark") ? "dark" : "light";
    tag.content = papers[theme === "system" ? own : theme];
  }
}

function apply(theme: Theme): void {
  colourBrowser(theme);
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function followTheme(): void {
  apply(usePrefs.getState().theme);
  usePrefs.subscribe(({ theme }) => apply(theme));
}
