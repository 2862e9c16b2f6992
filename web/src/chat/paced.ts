/** Calls at once, and then at most once in each span: what was asked meanwhile is done once, at its end. */
export function paced(call: () => void, span: number): (() => void) & { stop: () => void } {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    timer = undefined;
    last = Date.now();
    call();
  };
  const ask = () => {
    if (timer !== undefined) return;
    const left = last + span - Date.now();
    if (left <= 0) now();
    else timer = setTimeout(now, left);
  };
  return Object.assign(ask, {
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  });
}
