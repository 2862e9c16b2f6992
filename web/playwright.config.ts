import { defineConfig } from "@playwright/test";

const real = process.env["SEAMUX_URL"];
const port = Number(process.env["MOCK_PORT"] ?? 4180);

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 1,
  retries: 0,
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  projects: [
    { name: "desk", use: { viewport: { width: 1440, height: 960 } } },
    { name: "phone", use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 } },
  ],
  ...(real ? {} : { webServer: { command: `node e2e/mock-server.mjs ${port}`, url: `http://127.0.0.1:${port}/`, reuseExistingServer: false } }),
});
