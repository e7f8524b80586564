/** What every page has: its language, the sign-in, the mark that says whether it is live, and notices. */

import { askForTokensWith } from "./api.js";
import { byId, el, fill } from "./dom.js";
import { follow } from "./events.js";
import { choose, language, translate, word } from "./words.js";

const READABLE = 10000;

/**
 * Bring a page to life.
 * @param {{onEvent: (event: any) => void, onReset: () => void, onLive?: () => void}} to what the page does with changes,
 *   and when it listens for them (again)
 */
export function begin(to) {
  askForTokensWith(signIn);
  translate();
  document.title = `${word(document.body.dataset.page)} · Veridical`;
  byId("language").addEventListener("click", () => {
    choose(language() === "zh" ? "en" : "zh");
    location.reload();
  });
  const onStatus = (status) => {
    showStatus(status);
    if (status === "live") to.onLive?.();
  };
  follow({ ...to, onStatus }).catch((error) => notice(error.message, "bad"));
}

function showStatus(status) {
  const shown = byId("status");
  if (shown.dataset.status === status) return;
  shown.dataset.status = status;
  fill(shown, el("span.dot"), el("span.label", {}, word(status)));
}

/**
 * Say something at the foot of the page: for a while where it went well, until it is closed where it did not.
 * @param {string} text
 * @param {"good" | "bad"} [kind]
 */
export function notice(text, kind = "good") {
  const shown = el("p.notice", { "data-kind": kind }, text);
  const close = el("button.quiet", { type: "button", "aria-label": word("close"), click: () => shown.remove() }, "×");
  shown.append(close);
  byId("notices").append(shown);
  if (kind === "good") setTimeout(() => shown.remove(), READABLE);
}

/**
 * Do something, and say so where it fails; that the service is away the mark at the top says already.
 * @param {() => Promise<void>} what
 */
export function attempt(what) {
  what().catch((error) => {
    if (error.status !== 0) notice(error.message, "bad");
  });
}

/**
 * A dialog; it is removed when it closes, and the focus returns to where it was.
 * @param {string} title
 * @param {...any} children
 * @returns {HTMLDialogElement}
 */
export function dialog(title, ...children) {
  const before = document.activeElement;
  const shown = el(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    el("header", {}, el("h2", { id: "dialog-title" }, title), closing(() => shown.close())),
    ...children,
  );
  shown.addEventListener("close", () => {
    shown.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(shown);
  shown.showModal();
  return shown;
}

function closing(close) {
  return el("button.quiet.close", { type: "button", "aria-label": word("close"), click: close }, "×");
}

let asking = null;

/** Ask for a token, once for all requests that wait for it. */
function signIn(refused) {
  asking ??= new Promise((resolve) => {
    const before = document.activeElement;
    const field = el("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", required: true });
    const form = el(
      "form.stack",
      { method: "dialog" },
      el("p", {}, word("signText")),
      refused && el("p.warning", { role: "alert" }, word("signWrong")),
      el("label", { for: "token" }, word("token")),
      field,
      el("p.faint", {}, word("signHint")),
      el("button.primary", { type: "submit" }, word("open")),
    );
    const shown = el("dialog.sign-in", { "aria-labelledby": "sign-title" }, el("h2", { id: "sign-title" }, word("signTitle")), form);
    shown.addEventListener("cancel", (event) => event.preventDefault());
    form.addEventListener("submit", () => {
      asking = null;
      shown.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(field.value.trim());
    });
    document.body.append(shown);
    shown.showModal();
    field.focus();
  });
  return asking;
}

/**
 * Let a button open and close an aside that is a drawer on narrow screens.
 * @param {HTMLElement} button
 * @param {HTMLElement} drawer
 */
export function drawer(button, drawer) {
  const set = (open) => {
    drawer.classList.toggle("open", open);
    button.setAttribute("aria-expanded", String(open));
    if (open) drawer.querySelector(".drawer-close").focus();
  };
  set(false);
  button.addEventListener("click", () => set(!drawer.classList.contains("open")));
  drawer.querySelector(".drawer-close")?.addEventListener("click", () => {
    set(false);
    button.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!drawer.contains(event.target) && !button.contains(event.target)) set(false);
  });
  drawer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !drawer.classList.contains("open")) return;
    set(false);
    button.focus();
  });
  return () => set(false);
}
