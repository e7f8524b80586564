/** Server-sent events read with fetch, so that a token travels in a header; and the stream of changes that reconnects. */

import { Problem, request } from "./api.js";

const PATIENCE = [500, 1000, 2000, 5000, 10000];
/** Pings come every 15 seconds: what is silent for longer is cut off. */
const SILENCE = 40000;

/**
 * The events in the body of a response.
 * @param {Response} response
 * @returns {AsyncGenerator<{type: string, id: string, data: any}>}
 */
export async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value.replaceAll("\r\n", "\n");
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const event = parsed(rest.slice(0, end));
      rest = rest.slice(end + 2);
      yield event;
    }
  }
}

function parsed(block) {
  const event = { type: "message", id: "", data: null };
  const data = [];
  for (const line of block.split("\n")) {
    const [, name, value] = /^([^:]*):? ?(.*)$/.exec(line);
    if (name === "event") event.type = value;
    else if (name === "id") event.id = value;
    else if (name === "data") data.push(value);
  }
  if (data.length) event.data = JSON.parse(data.join("\n"));
  return event;
}

/**
 * Follow the changes of the memory for as long as the page lives; each is told once, and a gap asks to begin anew.
 * @param {{onEvent: (event: any) => void, onReset: () => void, onStatus: (status: "live" | "away") => void}} to
 */
export async function follow(to) {
  let number = null;
  for (let attempt = 0; ; attempt += 1) {
    try {
      if (number === null) {
        // The number first and what holds after it: so no change falls between the two.
        number = (await (await request("/v1/memory/history?limit=1")).json()).last;
        to.onReset();
      }
      for await (const event of streamed(number, () => to.onStatus("live"))) {
        attempt = 0;
        if (event.type === "reset") to.onReset();
        else if (event.data !== null) to.onEvent(event.data);
        if (event.id) number = Number(event.id);
      }
    } catch (error) {
      if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
    }
    to.onStatus("away");
    await pause(PATIENCE[Math.min(attempt, PATIENCE.length - 1)]);
  }
}

async function* streamed(number, begun) {
  const cut = new AbortController();
  let watch = setTimeout(() => cut.abort(), SILENCE);
  try {
    const headers = { "Last-Event-ID": String(number) };
    const response = await request("/v1/memory/events", { headers, signal: cut.signal });
    begun();
    for await (const event of eventsOf(response)) {
      clearTimeout(watch);
      watch = setTimeout(() => cut.abort(), SILENCE);
      yield event;
    }
  } finally {
    clearTimeout(watch);
    cut.abort();
  }
}

/** Wait, or until the machine says that it is online again or somebody looks. */
function pause(milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      document.removeEventListener("visibilitychange", done);
      resolve();
    }
    window.addEventListener("online", done);
    document.addEventListener("visibilitychange", done);
  });
}
