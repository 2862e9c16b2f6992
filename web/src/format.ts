/** Times, sizes and paths as people read them. Pure: the clock is passed in. */
import { strings } from "./strings.ts";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const second = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const date = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function age(time: string, now: number): string {
  const then = Date.parse(time);
  if (Number.isNaN(then)) return "";
  const past = now - then;
  if (past < MINUTE) return strings.age.now;
  if (past < HOUR) return strings.age.minutes(Math.floor(past / MINUTE));
  if (past < DAY) return strings.age.hours(Math.floor(past / HOUR));
  return past < 6 * DAY ? weekday.format(then) : date.format(then);
}

/** The hour for today's messages, with the day for others. */
export const at = (time: string | undefined, now: number): string => moment(time, now, clock);

/** The same to the second. */
export const exactly = (time: string | undefined, now: number): string => moment(time, now, second);

function moment(time: string | undefined, now: number, form: Intl.DateTimeFormat): string {
  const then = time === undefined ? Number.NaN : Date.parse(time);
  if (Number.isNaN(then)) return "";
  const hour = form.format(then);
  return new Date(then).toDateString() === new Date(now).toDateString() ? hour : `${date.format(then)}, ${hour}`;
}

export function duration(from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined) return "";
  const ms = Date.parse(to) - Date.parse(from);
  if (Number.isNaN(ms) || ms < 0) return "";
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} m ${Math.round((ms % 60_000) / 1000)} s`;
}

export function tokens(n: number): string {
  if (n < 1000) return String(n);
  return n < 1_000_000 ? `${Math.round(n / 1000)}k` : `${(n / 1_000_000).toFixed(1)}M`;
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The last name of a path, of either kind of slash. */
export function folder(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
