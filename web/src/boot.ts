import { config } from "zod/mini";

// Before the first schema is used: zod otherwise probes `new Function`, which the page's policy reports.
config({ jitless: true });
