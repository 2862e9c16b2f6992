import { useEffect } from "react";
import { RunView } from "./desk/run-view.tsx";
import { Sidebar } from "./desk/sidebar.tsx";
import { NewRunView } from "./forms/new-run-view.tsx";
import { SignIn } from "./forms/sign-in.tsx";
import { signIn } from "./state/live.ts";
import { toRun } from "./state/route.ts";
import { useApp } from "./state/store.ts";
import { strings } from "./strings.ts";
import { useMedia, useRoute } from "./ui/hooks.ts";
import { Notice } from "./ui/notice.tsx";

let offered = false;

/** A demo has one run, and it is what the link was opened for. */
function useOnlyDemo(at: string): void {
  const runs = useApp((state) => state.runs);
  useEffect(() => {
    const [only, ...others] = Object.values(runs ?? {});
    if (!runs || offered) return;
    offered = true;
    if (at === "list" && only?.demo && others.length === 0) location.replace(toRun(only.id));
  }, [at, runs]);
}

export function App() {
  const session = useApp((state) => state.session);
  const narrow = useMedia("(max-width: 47.99rem)");
  const route = useRoute();
  useOnlyDemo(route.at);
  useEffect(() => {
    if (route.at !== "run") document.title = route.at === "new" ? `${strings.form.title} · ${strings.name}` : strings.name;
  }, [route.at]);

  if (session === "out") return <SignIn onSignIn={signIn} />;
  const main =
    route.at === "run" ? (
      <RunView key={route.id} route={route} narrow={narrow} />
    ) : route.at === "new" ? (
      <NewRunView narrow={narrow} />
    ) : (
      <main className="main empty">
        <Notice title={strings.runs.pick} hint={strings.runs.pickHint} alone />
      </main>
    );
  if (narrow && route.at === "list") {
    return (
      <main className="app narrow">
        <Sidebar current={undefined} narrow />
      </main>
    );
  }
  if (narrow) return <div className="app narrow">{main}</div>;
  return (
    <div className="app">
      <Sidebar current={route.at === "run" ? route.id : undefined} narrow={false} />
      {main}
    </div>
  );
}
