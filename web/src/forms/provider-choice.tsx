import type { Provider } from "../api/schema.ts";
import { strings } from "../strings.ts";

type Props = { providers: readonly Provider[]; chosen: string; onChoose: (id: string) => void };

function state(provider: Provider): string {
  if (!provider.installed) return strings.form.missing;
  const { version } = provider.installed;
  if (provider.compat === "unsupported") return strings.form.unsupported(version);
  if (provider.compat === "untested") return strings.form.untested(version, provider.pinned_version);
  return version;
}

/** What can run here. What can't is listed too, with the reason. */
export function ProviderChoice({ providers, chosen, onChoose }: Props) {
  return (
    <fieldset className="choices">
      <legend>{strings.form.provider}</legend>
      {providers.map((provider) => (
        <label key={provider.id} className="choice" htmlFor={`provider-${provider.id}`}>
          <input
            id={`provider-${provider.id}`}
            type="radio"
            name="provider"
            value={provider.id}
            checked={provider.id === chosen}
            disabled={!provider.installed}
            onChange={() => onChoose(provider.id)}
          />
          <span>
            <b>{provider.display_name}</b>
            <small>{state(provider)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
