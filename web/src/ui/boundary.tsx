import { Component, type ReactNode } from "react";
import { strings } from "../strings.ts";
import { Notice } from "./notice.tsx";

/** A mistake in drawing must not leave a blank page. */
export class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="main empty">
        <Notice title={strings.errors.title} hint={strings.errors.unexpected} alone>
          <button type="button" className="btn" onClick={() => location.reload()}>
            {strings.errors.reload}
          </button>
        </Notice>
      </main>
    );
  }
}
