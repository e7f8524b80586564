/** Speaking to the service: who asks, and what an error says. */

import { sentenceOf } from "./problems.js";

const TOKEN = "veridical.token";
const TERMINAL = "veridical.terminal";
let signIn = async () => "";

/** An answer of the service that is not what was asked for: one sentence that says what to do. Status 0: no answer. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {string} detail
   */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/**
 * Say how a token is asked for when the service wants one.
 * @param {(refused: boolean) => Promise<string>} ask
 */
export function askForTokensWith(ask) {
  signIn = ask;
}

/** The name under which this browser is known where no token names the terminal. */
export function browserName() {
  let name = localStorage.getItem(TERMINAL);
  if (name === null) {
    name = `web-${crypto.getRandomValues(new Uint16Array(1))[0].toString(16).padStart(4, "0")}`;
    localStorage.setItem(TERMINAL, name);
  }
  return name;
}

/**
 * A request with the caller's token, which never stands in an address. Asks for the token where one is missing.
 * @param {string} path
 * @param {{method?: string, body?: any, headers?: Record<string, string>, signal?: AbortSignal}} [given]
 * @returns {Promise<Response>}
 */
export async function request(path, given = {}) {
  let patience = 2;
  for (;;) {
    const token = sessionStorage.getItem(TOKEN);
    const headers = { "X-Veridical-Terminal": browserName(), ...given.headers };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (given.body !== undefined) headers["Content-Type"] = "application/json";
    const body = given.body === undefined ? undefined : JSON.stringify(given.body);
    const method = given.method ?? (body ? "POST" : "GET");
    const response = await fetch(path, { method, headers, body, signal: given.signal }).catch(unreachable);
    if (response.status === 401) {
      if (sessionStorage.getItem(TOKEN) !== token) continue; // another request has asked meanwhile
      sessionStorage.setItem(TOKEN, await signIn(token !== null));
      continue;
    }
    if (response.status === 429 && patience > 0) {
      patience -= 1;
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After") ?? 1)));
      continue;
    }
    if (!response.ok) throw await problemOf(response);
    return response;
  }
}

/**
 * What the service answers, as JSON.
 * @param {string} path
 * @param {{method?: string, body?: any}} [given]
 * @returns {Promise<any>}
 */
export async function call(path, given) {
  return (await request(path, given)).json();
}

function unreachable(error) {
  throw error.name === "AbortError" ? error : new Problem(0, error.message);
}

async function problemOf(response) {
  const document = await response.json().catch(() => ({}));
  return new Problem(response.status, sentenceOf(document) ?? response.statusText);
}
