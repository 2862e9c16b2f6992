import type { ApiError } from "../api/http.ts";

type Props = { problem: ApiError | null; id?: string };

/** The server's words about why not, and what to do. */
export function Problem({ problem, id }: Props) {
  if (!problem) return null;
  return (
    <p className="problem" role="alert" id={id}>
      {problem.message}
      {problem.hint !== undefined && <small>{problem.hint}</small>}
    </p>
  );
}
