import { useState } from "react";
import { ApiError } from "../api/http.ts";
import { strings } from "../strings.ts";
import { useAction } from "../ui/hooks.ts";
import { Mark } from "../ui/mark.tsx";
import { Field } from "./field.tsx";

type Props = { onSignIn: (token: string) => Promise<void> };

const words = strings.signIn;

export function SignIn({ onSignIn }: Props) {
  const [token, setToken] = useState("");
  const { busy, problem, run } = useAction();
  const shown = problem && (problem.status === 401 || problem.status === 403) ? new ApiError(problem.message || words.refused, problem.status) : problem;
  const [before, command, between, file, after] = words.where;
  return (
    <main className="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "" && !busy) void run(() => onSignIn(token.trim()));
        }}
      >
        <p className="brand">
          <Mark />
          {strings.name}
        </p>
        <h1>{words.title}</h1>
        <p>{words.body}</p>
        <Field label={words.token} problem={shown}>
          {(wiring) => (
            <input
              {...wiring}
              className="mono"
              type="password"
              autoComplete="current-password"
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="btn primary" disabled={busy}>
          {busy ? words.going : words.go}
        </button>
        <p className="hint">
          {before}
          <code>{command}</code>
          {between}
          <code>{file}</code>
          {after}
        </p>
      </form>
    </main>
  );
}
