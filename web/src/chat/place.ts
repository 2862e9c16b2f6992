import { createContext, type ComponentType } from "react";
import type { Row } from "../state/rows.ts";
import type { Shared } from "./shared.ts";

/** Where a row stands, for what lies deep in it: a card that shows a conversation draws rows itself. */
export type Place = { shared: Shared; scope: string; RowView: ComponentType<{ row: Row; shared: Shared }> };

export const PlaceContext = createContext<Place | null>(null);
