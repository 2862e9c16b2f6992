import mono from "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2?url";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";

const weights = { weight: "100 900", display: "swap" } as const;

function load(): void {
  const faces = [new FontFace("Inter Variable", `url(${inter})`, weights), new FontFace("JetBrains Mono Variable", `url(${mono})`, weights)];
  for (const face of faces) {
    document.fonts.add(face);
    void face.load().catch(() => document.fonts.delete(face));
  }
}

/** Two files of our own, asked for when the page has nothing better to do. Until then the system's fonts stand in. */
export function loadFonts(): void {
  if ("requestIdleCallback" in window) requestIdleCallback(load, { timeout: 3000 });
  else setTimeout(load, 300);
}
