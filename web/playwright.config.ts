import { defineConfig } from "@playwright/test";

// The tests against the mock start a server for each worker (e2e/page.ts); those against a real server share it.
const real = process.env["SEAMUX_URL"] !== undefined;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: real ? 1 : 2,
  fullyParallel: !real,
  forbidOnly: true,
  retries: 0,
  reporter: "list",
  use: {
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  // What is the same on both is tested once, on the desk; a tag says where else, or where instead.
  projects: [
    { name: "desk", grepInvert: /@phone/, use: { viewport: { width: 1440, height: 960 } } },
    { name: "phone", ...(real ? {} : { grep: /@phone|@both/ }), use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } },
  ],
});
