/** Doing something soon, and however often it is asked for, only so often. */

const SOON = 60;

/**
 * A function that does something shortly after it is called, once for all calls until then, and after a pause again.
 * @param {() => void} what
 * @param {number} [pause] milliseconds between two times at least: a page that is told of thousands of changes asks anew
 *   only so often
 * @returns {() => void}
 */
export function calmly(what, pause = 1000) {
  let waiting = null;
  let last = -Infinity;
  return () => {
    waiting ??= setTimeout(() => {
      waiting = null;
      last = performance.now();
      what();
    }, Math.max(SOON, last + pause - performance.now()));
  };
}
