/** The versions of lists, such as that of a server's tools, seen by all workers alike. */

import type { Awaitable } from "./interface.js";

/** Characters of the name of a list, at most. */
export const MAX_LIST_NAME = 200;

const NAME = new RegExp(`^(?:[^\\p{C}\\p{Z}]| ){1,${MAX_LIST_NAME}}$`, "u");

/**
 * What counts the changes of lists.
 *
 * A version is a number that says whether a list has changed and nothing else: 0 for a list that
 * never did, one more with every change. Readers compare for *different*, never for *greater*,
 * since a store that is made anew begins at 0 again. A purge of results leaves versions alone.
 *
 * Faults throw `StoreError`, a name that is none throws RangeError. A store may answer with
 * promises.
 *
 * docs: docs/stores.md
 */
export interface ListVersions {
  /**
   * The version of the list with that name; 0 if it never changed.
   *
   * The name has 1 to 200 printable characters ({@link checkListName}).
   */
  listVersion(name: string): Awaitable<number>;

  /**
   * Says that the list has changed, and returns its new version: of two workers at once each
   * counts.
   */
  raiseListVersion(name: string): Awaitable<number>;
}

/** The name, for stores to call first. Throws RangeError for what is no name of a list. */
export function checkListName(name: string): string {
  if (typeof name !== "string" || !NAME.test(name)) {
    throw new RangeError(`name: expected 1 to ${MAX_LIST_NAME} printable characters`);
  }
  return name;
}
