import { useState } from "react";
import type { NewRun } from "../api/client.ts";
import type { Provider } from "../api/schema.ts";
import { toList } from "../state/route.ts";
import { strings } from "../strings.ts";
import { useAction } from "../ui/hooks.ts";
import { Problem } from "../ui/problem.tsx";
import { ChoiceField, Field } from "./field.tsx";
import { emptyWanted, providerOf, toRequest, type Wanted } from "./new-run.ts";
import { ProviderChoice } from "./provider-choice.tsx";

type Props = {
  providers: readonly Provider[];
  folders: readonly string[];
  folder: string;
  onStart: (wanted: NewRun) => Promise<void>;
};

const words = strings.form;
const fields = new Set(["provider", "cwd", "model", "effort", "permission_mode", "prompt"]);

export function NewRunForm({ providers, folders, folder, onStart }: Props) {
  const [wanted, setWanted] = useState<Wanted>({ ...emptyWanted, cwd: folder });
  const { busy, problem, run } = useAction();
  const provider = providerOf(providers, wanted);
  const set = (change: Partial<Wanted>) => setWanted((had) => ({ ...had, ...change }));
  const at = (field: string) => (problem?.field === field ? problem : null);
  const elsewhere = problem && !fields.has(problem.field ?? "") ? problem : null;

  if (!provider) return <p className="problem">{words.noneInstalled}</p>;
  return (
    <form
      className="form"
      aria-labelledby="new-run"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void run(() => onStart(toRequest(wanted, provider)));
      }}
    >
      <ProviderChoice providers={providers} chosen={provider.id} onChoose={(id) => set({ provider: id })} />
      <Problem problem={at("provider")} />
      <Field label={words.folder} hint={words.folderHint} problem={at("cwd")}>
        {(wiring) => (
          <input
            {...wiring}
            className="mono"
            value={wanted.cwd}
            list="folders"
            required
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => set({ cwd: event.target.value })}
          />
        )}
      </Field>
      <datalist id="folders">
        {folders.map((known) => (
          <option key={known} value={known} />
        ))}
      </datalist>
      <div className="form-row">
        <ChoiceField label={words.model} choices={provider.models} value={wanted.model} problem={at("model")} onChange={(model) => set({ model })} />
        <ChoiceField label={words.effort} choices={provider.efforts} value={wanted.effort} problem={at("effort")} onChange={(effort) => set({ effort })} />
        <ChoiceField
          label={words.mode}
          choices={provider.permission_modes}
          value={wanted.permission_mode}
          problem={at("permission_mode")}
          onChange={(mode) => set({ permission_mode: mode })}
        />
      </div>
      <Field label={words.message} hint={words.messageHint} problem={at("prompt")}>
        {(wiring) => <textarea {...wiring} rows={5} value={wanted.prompt} onChange={(event) => set({ prompt: event.target.value })} />}
      </Field>
      <Problem problem={elsewhere} />
      <div className="acts">
        <a className="btn" href={toList}>
          {words.cancel}
        </a>
        <button type="submit" className="btn primary" disabled={busy}>
          {busy ? words.starting : words.start}
        </button>
      </div>
    </form>
  );
}
