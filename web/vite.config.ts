import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env["SEAMUX_SERVER"] ?? "http://127.0.0.1:7333";

export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2023",
    modulePreload: { polyfill: false },
    // Every asset is a file of its own: the page's policy allows no data: fonts or scripts.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "vendor", test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ }],
        },
      },
    },
  },
  server: { proxy: { "/api": server } },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    setupFiles: ["src/test/setup.ts"],
    restoreMocks: true,
  },
});
