/** What the form holds, and what of it the server is told. Pure. */
import type { NewRun } from "../api/client.ts";
import type { Provider } from "../api/schema.ts";

export type Wanted = { provider: string; cwd: string; model: string; effort: string; permission_mode: string; prompt: string };

export const emptyWanted: Wanted = { provider: "", cwd: "", model: "", effort: "", permission_mode: "", prompt: "" };

/** The provider that is meant while none was chosen: the first that can run. */
export function providerOf(providers: readonly Provider[], wanted: Wanted): Provider | undefined {
  return providers.find(({ id }) => id === wanted.provider) ?? providers.find(({ installed }) => installed !== undefined);
}

const has = (choices: readonly { id: string }[], id: string) => id !== "" && choices.some((choice) => choice.id === id);

/** Fields that were left as they are configured are left out. */
export function toRequest(wanted: Wanted, provider: Provider): NewRun {
  return {
    provider: provider.id,
    cwd: wanted.cwd.trim(),
    ...(wanted.prompt.trim() === "" ? {} : { prompt: wanted.prompt.trim() }),
    ...(has(provider.models, wanted.model) ? { model: wanted.model } : {}),
    ...(has(provider.efforts, wanted.effort) ? { effort: wanted.effort } : {}),
    ...(has(provider.permission_modes, wanted.permission_mode) ? { permission_mode: wanted.permission_mode } : {}),
  };
}
