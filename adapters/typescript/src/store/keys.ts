/**
 * The keys that sign pointers: a ring of them, and the text of the file they are kept in.
 *
 * A key file has one key per line, `id:base64`. The first key signs, all verify. Blank lines
 * and lines that begin with `#` are skipped. No message of this module ever shows a line of
 * the file, since a misplaced key may be anywhere.
 */

import { encodeBase64, encodeHex } from "../../../../generated/typescript/runtime/bytes.js";
import { fromBase64 } from "./base64.js";
import { sameBytes } from "./hmac.js";
import { StoreError, StoreErrorCode } from "./interface.js";

/** Bytes of a new key, and the least that a key may have: as many as SHA-256 gives. */
export const KEY_BYTES = 32;
/** A block of SHA-256. HMAC hashes longer keys down, so more would be for show. */
export const MAX_KEY_BYTES = 64;
/** Every key costs one HMAC per pointer, so their number is bounded. */
export const MAX_KEYS = 16;

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** As Python has it: with the unit separator, without the byte order mark. */
const SPACE = /[^\S\ufeff]|\x1f/;
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

export function refuseKeys(message: string, cause?: unknown): StoreError {
  return new StoreError(
    StoreErrorCode.INVALID_KEYS,
    message,
    cause === undefined ? undefined : { cause },
  );
}

/** One secret with a name for people. The name is not part of any pointer. */
export class Key {
  readonly id: string;
  // Private to the engine, so that no log of an object shows it.
  readonly #secret: Uint8Array;

  /** Throws `StoreError` (`invalid_keys`). */
  constructor(id: string, secret: Uint8Array) {
    if (!ID.test(id)) {
      throw refuseKeys(
        "A key id has 1 to 64 letters, digits, dots, hyphens and underscores" +
          " and begins with a letter or digit.",
      );
    }
    if (secret.length < KEY_BYTES || secret.length > MAX_KEY_BYTES) {
      throw refuseKeys(
        `A key has ${KEY_BYTES} to ${MAX_KEY_BYTES} bytes.` +
          " Make one with `toolresult store new-key`.",
      );
    }
    this.id = id;
    this.#secret = secret.slice();
  }

  /** A new random key; without `id` its name is random too. */
  static generate(id?: string): Key {
    return new Key(id ?? `key-${encodeHex(random(4))}`, random(KEY_BYTES));
  }

  get secret(): Uint8Array {
    return this.#secret;
  }

  /** The line of a key file that holds this key. Secret. */
  get line(): string {
    return `${this.id}:${encodeBase64(this.#secret)}`;
  }
}

/** One to sixteen keys. The first signs, all verify. */
export class KeyRing {
  readonly #keys: readonly Key[];

  /** Throws `StoreError` (`invalid_keys`) for none, too many, or one twice. */
  constructor(keys: Iterable<Key>) {
    this.#keys = [...keys];
    if (this.#keys.length === 0) {
      throw refuseKeys("There is no key. Make one with `toolresult store new-key`.");
    }
    if (this.#keys.length > MAX_KEYS) {
      throw refuseKeys(`There are more than ${MAX_KEYS} keys. Remove those no longer needed.`);
    }
    if (new Set(this.ids).size < this.#keys.length) {
      throw refuseKeys("Two keys have the same id.");
    }
    const twice = this.#keys.some((one, index) =>
      this.#keys.slice(index + 1).some((other) => sameBytes(one.secret, other.secret)),
    );
    if (twice) {
      throw refuseKeys("The same key is there twice, under two ids.");
    }
  }

  /** A ring of one new random key, for stores that end with the process. */
  static generate(): KeyRing {
    return new KeyRing([Key.generate()]);
  }

  /** The ring that the text of a key file describes. Throws `StoreError` (`invalid_keys`). */
  static parse(text: string): KeyRing {
    const keys: Key[] = [];
    for (const [index, line] of text.split(LINE_END).entries()) {
      const entry = trimmed(line);
      if (entry === "" || entry.startsWith("#")) {
        continue;
      }
      try {
        keys.push(parseLine(entry));
      } catch (error) {
        if (!(error instanceof StoreError)) {
          throw error;
        }
        throw refuseKeys(`Line ${index + 1}: ${error.message}`);
      }
    }
    return new KeyRing(keys);
  }

  /** The names of the keys, the signing one first. */
  get ids(): readonly string[] {
    return this.#keys.map((key) => key.id);
  }

  /** The secret that signs. */
  get signing(): Uint8Array {
    return (this.#keys[0] as Key).secret;
  }

  /** All secrets, the signing one first. */
  get verifying(): readonly Uint8Array[] {
    return this.#keys.map((key) => key.secret);
  }
}

/** Throws TypeError for what is no ring, as programs give it that no compiler has looked at. */
export function checkRing(keys: unknown): void {
  if (!(keys instanceof KeyRing)) {
    throw new TypeError("keys: expected a KeyRing");
  }
}

/** Random bytes of the platform's own source. */
export function random(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size));
}

function parseLine(entry: string): Key {
  const colon = entry.indexOf(":");
  if (colon < 0) {
    throw refuseKeys("Expected `id:base64`.");
  }
  const secret = fromBase64(trimmed(entry.slice(colon + 1)));
  if (secret === undefined) {
    throw refuseKeys("Expected standard, padded base64 after the colon.");
  }
  return new Key(trimmed(entry.slice(0, colon)), secret);
}

/** A text without the white space around it. */
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) {
    start += 1;
  }
  while (end > start && SPACE.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
}
