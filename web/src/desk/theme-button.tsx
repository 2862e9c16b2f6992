import { Monitor, Moon, Sun } from "lucide-react";
import { themes, usePrefs } from "../state/prefs.ts";
import { strings } from "../strings.ts";

const icons = { system: Monitor, light: Sun, dark: Moon };

export function ThemeButton() {
  const theme = usePrefs((state) => state.theme);
  const Icon = icons[theme];
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  return (
    <button
      type="button"
      className="btn ghost icon"
      aria-label={strings.theme[theme]}
      title={strings.theme[theme]}
      onClick={() => usePrefs.getState().setTheme(next)}
    >
      <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
    </button>
  );
}
