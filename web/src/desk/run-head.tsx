import { ChevronLeft } from "lucide-react";
import type { ContextUsage, Dialog, Provider, Run } from "../api/schema.ts";
import { toList } from "../state/route.ts";
import { strings } from "../strings.ts";
import { DemoBadge, StatePill } from "../ui/state.tsx";
import { labelOf } from "./labels.ts";
import { ContextMeter } from "./meter.tsx";
import type { ReactNode } from "react";

type Props = { run: Run; provider: Provider | undefined; usage: ContextUsage | undefined; dialogs: readonly Dialog[]; narrow: boolean; actions: ReactNode };

export function RunHead({ run, provider, usage, dialogs, narrow, actions }: Props) {
  const meta = [labelOf(provider?.models, run.model), labelOf(provider?.permission_modes, run.permission_mode)];
  return (
    <header className="head">
      {narrow && (
        <a className="btn ghost icon back" href={toList} aria-label={strings.header.back}>
          <ChevronLeft size={20} strokeWidth={1.6} aria-hidden="true" />
        </a>
      )}
      <h1 title={run.title}>{run.title}</h1>
      <div className="head-facts">
        <StatePill state={run.state} dialogs={dialogs} />
        {run.demo && <DemoBadge />}
        <span className="meta">{meta.filter((word) => word !== undefined).join(" · ")}</span>
        {usage && <ContextMeter usage={usage} />}
      </div>
      {actions}
    </header>
  );
}
