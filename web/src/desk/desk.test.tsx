import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { age, at, duration, folder, tokens } from "../format.ts";
import { sampleRun } from "../test/samples.ts";
import { Connection } from "./connection.tsx";
import { HeaderActions } from "./header-actions.tsx";
import { labelOf } from "./labels.ts";
import { ContextMeter } from "./meter.tsx";
import { RunList } from "./run-list.tsx";
import { StopDialog } from "./stop-dialog.tsx";
import { Warnings } from "./warnings.tsx";

const runs = {
  a: sampleRun({ id: "a", title: "Asks", state: "question", demo: true, branch: "main", last_line: "Which one?" }),
  b: sampleRun({ id: "b", title: "Over", state: "ended" }),
};

test("the list says state, place and last line of each run, under its group", () => {
  render(<RunList runs={runs} current="a" words="" />);
  expect(screen.getAllByRole("heading").map(({ textContent }) => textContent)).toEqual(["Waiting for you", "Ended"]);
  const row = screen.getByRole("link", { name: /asks you.*Asks.*Demo.*Which one\?.*shop · main/s });
  expect(row.getAttribute("href")).toBe("#/runs/a");
  expect(row.getAttribute("aria-current")).toBe("page");
});

test("loading, no runs and no match are three states", () => {
  const { rerender } = render(<RunList runs={null} current={undefined} words="" />);
  expect(screen.getByText("Reading the runs")).toBeTruthy();
  rerender(<RunList runs={{}} current={undefined} words="" />);
  expect(screen.getByText("No runs yet")).toBeTruthy();
  rerender(<RunList runs={runs} current={undefined} words="zebra" />);
  expect(screen.getByText("No run matches “zebra”.")).toBeTruthy();
});

test("a lost connection says that the run goes on", () => {
  render(<Connection status="lost" runs={2} />);
  expect(screen.getByRole("status").textContent).toBe("Connection lost. The run goes on.");
});

test("stopping is asked once more", async () => {
  const onStop = vi.fn(async () => {});
  const onClose = vi.fn();
  render(<StopDialog title="T" onStop={onStop} onClose={onClose} />);
  await userEvent.click(screen.getByRole("checkbox"));
  await userEvent.click(screen.getByRole("button", { name: "Stop the run" }));
  expect(onStop).toHaveBeenCalledExactlyOnceWith(true);
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
});

test("an ended run can be attached to and nothing else; on a phone all stands behind one button", async () => {
  const props = { working: false, onInterrupt: vi.fn(), onStop: vi.fn(), onAttach: vi.fn(), more: <p>more of it</p> };
  const { rerender } = render(<HeaderActions {...props} narrow={false} ended />);
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Attach", ""]);
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  expect(screen.getByText("more of it")).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  expect(screen.queryByText("more of it")).toBeNull();
  rerender(<HeaderActions {...props} narrow ended={false} />);
  await userEvent.click(screen.getByRole("button", { name: "More" }));
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(props.onStop).toHaveBeenCalledOnce();
  expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
});

test("warnings come with what to do; the meter with numbers; labels from metadata", () => {
  render(<Warnings warnings={[{ code: "c", message: "Careful.", hint: "Do this." }]} />);
  expect(screen.getByText(/Careful\./).textContent).toBe("Careful. Do this.");
  render(<ContextMeter usage={{ used: 124_000, limit: 200_000 }} />);
  expect(screen.getByRole("meter", { name: "124k of 200k tokens of context used" }).getAttribute("aria-valuenow")).toBe("62");
  expect(labelOf([{ id: "ask", label: "asks first", description: "" }], "ask")).toBe("asks first");
  expect(labelOf([], "other")).toBe("other");
  expect(labelOf(undefined, undefined)).toBeUndefined();
});

test("times and paths as people read them", () => {
  const now = Date.parse("2026-03-10T12:00:00Z");
  expect(["2026-03-10T11:59:30Z", "2026-03-10T11:46:00Z", "2026-03-10T09:00:00Z", "nonsense"].map((time) => age(time, now))).toEqual(["now", "14 m", "3 h", ""]);
  expect(age("2026-03-07T12:00:00Z", now)).toMatch(/Sat/);
  expect(at(undefined, now)).toBe("");
  expect(duration("2026-03-10T12:00:00Z", "2026-03-10T12:00:03.14Z")).toBe("3.1 s");
  expect(duration("2026-03-10T12:00:00Z", "2026-03-10T12:02:05Z")).toBe("2 m 5 s");
  expect(duration("2026-03-10T12:00:00Z", undefined)).toBe("");
  expect([folder("/a/b/"), folder("/"), folder("C:\\x\\y")]).toEqual(["b", "/", "y"]);
  expect([tokens(999), tokens(124_000), tokens(1_200_000)]).toEqual(["999", "124k", "1.2M"]);
});
