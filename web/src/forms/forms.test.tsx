import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "../api/http.ts";
import { providerSchema } from "../api/schema.ts";
import { NewRunForm } from "./new-run-form.tsx";
import { emptyWanted, toRequest } from "./new-run.ts";
import { SignIn } from "./sign-in.tsx";

const provider = (change: object) =>
  providerSchema.parse({
    id: "one", display_name: "One", installed: { path: "/bin/one", version: "1.2" }, compat: "verified", pinned_version: "1.2",
    models: [{ id: "m1", label: "Model one", description: "The big one" }], efforts: [], permission_modes: [{ id: "ask", label: "asks first" }],
    options: [], auth: { kind: "external" }, open: null, capabilities: [], ...change,
  });
const providers = [provider({ id: "none", display_name: "Missing", installed: null }), provider({}), provider({ id: "new", display_name: "New", compat: "untested", installed: { path: "", version: "9" } })];

test("what is left as configured is not sent; a choice of another provider neither", () => {
  const one = providers[1];
  if (!one) throw new Error("no provider");
  expect(toRequest({ ...emptyWanted, cwd: " /w ", model: "other" }, one)).toEqual({ provider: "one", cwd: "/w" });
  expect(toRequest({ ...emptyWanted, cwd: "/w", model: "m1", permission_mode: "ask", prompt: " go " }, one)).toEqual({
    provider: "one", cwd: "/w", model: "m1", permission_mode: "ask", prompt: "go",
  });
});

test("what can't run is listed with the reason, and can't be chosen", () => {
  render(<NewRunForm providers={providers} folders={[]} folder="/w" onStart={async () => {}} />);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /Missing.*Not installed/ }).disabled).toBe(true);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: /One.*1\.2/ }).checked).toBe(true);
  expect(screen.getByRole("radio", { name: /9 is untested here; 1\.2 is verified/ })).toBeTruthy();
  expect(screen.queryByLabelText("Effort")).toBeNull();
});

test("the form starts a run", async () => {
  const onStart = vi.fn(async () => {});
  render(<NewRunForm providers={providers} folders={["/a"]} folder="/w" onStart={onStart} />);
  await userEvent.selectOptions(screen.getByLabelText("Model"), "Model one");
  expect(screen.getByText("The big one")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("First message"), "hello");
  await userEvent.click(screen.getByRole("button", { name: "Start run" }));
  expect(onStart).toHaveBeenCalledExactlyOnceWith({ provider: "one", cwd: "/w", model: "m1", prompt: "hello" });
});

test("the server's word stands at the field that it names", async () => {
  const onStart = async () => {
    throw new ApiError("There is no such folder.", 422, { field: "cwd" });
  };
  render(<NewRunForm providers={providers} folders={[]} folder="/w" onStart={onStart} />);
  await userEvent.click(screen.getByRole("button", { name: "Start run" }));
  const folder = screen.getByLabelText("Folder");
  expect(folder.getAttribute("aria-invalid")).toBe("true");
  const about = document.getElementById(folder.getAttribute("aria-describedby") ?? "");
  expect(about?.textContent).toBe("There is no such folder.");
  expect(screen.getAllByRole("alert")).toHaveLength(1);
});

test("a word about something else stands above the buttons", async () => {
  const onStart = async () => {
    throw new ApiError("The agent is signed out.", 409, { hint: "Sign it in first." });
  };
  render(<NewRunForm providers={providers} folders={[]} folder="/w" onStart={onStart} />);
  await userEvent.click(screen.getByRole("button", { name: "Start run" }));
  expect(screen.getByRole("alert").textContent).toBe("The agent is signed out.Sign it in first.");
});

test("without any agent the form says so", () => {
  render(<NewRunForm providers={providers.slice(0, 1)} folders={[]} folder="" onStart={async () => {}} />);
  expect(screen.getByText(/No agent is installed/)).toBeTruthy();
});

test("sign in: the token goes to the server, its refusal stands at the field", async () => {
  const onSignIn = vi.fn(async () => {
    throw new ApiError("This token is not the one of this server.", 401);
  });
  render(<SignIn onSignIn={onSignIn} />);
  await userEvent.type(screen.getByLabelText("Token"), " abc {Enter}");
  expect(onSignIn).toHaveBeenCalledExactlyOnceWith("abc");
  expect(screen.getByRole("alert").textContent).toBe("This token is not the one of this server.");
  expect(screen.getByText("seamux serve")).toBeTruthy();
});
