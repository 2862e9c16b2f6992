import "./boot.ts";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/desk.css";
import "./styles/head.css";
import "./styles/chat.css";
import "./styles/dialog.css";
import "./styles/answer.css";
import "./styles/composer.css";
import "./styles/queue.css";
import "./styles/audit.css";
import "./styles/tools.css";
import "./styles/threads.css";
import "./styles/prose.css";
import "./styles/forms.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { followLinks, start } from "./state/live.ts";
import { Boundary } from "./ui/boundary.tsx";
import { loadFonts } from "./ui/fonts.ts";
import { followTheme } from "./ui/theme.ts";

followTheme();
followLinks();
void start();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Boundary>
        <App />
      </Boundary>
    </StrictMode>,
  );
}
loadFonts();
