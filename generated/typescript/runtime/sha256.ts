/**
 * SHA-256 (FIPS 180-4), synchronous.
 *
 * A digest is a property of a result and part of what renderers write, so that it has to be there
 * at once. What browsers bring, `crypto.subtle`, only answers later, and a module of Node is not
 * there in a browser.
 */

import { encodeHex } from "./bytes.js";

const ROUND = new Uint32Array(64);
const START = new Uint32Array(8);
fillConstants();

/** The first 32 bits of the fractional parts of roots of the first primes. */
function fillConstants(): void {
  let found = 0;
  for (let candidate = 2; found < 64; candidate++) {
    if (!isPrime(candidate)) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(candidate));
    ROUND[found++] = fraction(Math.cbrt(candidate));
  }
}

function isPrime(candidate: number): boolean {
  for (let factor = 2; factor * factor <= candidate; factor++) {
    if (candidate % factor === 0) return false;
  }
  return true;
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

/** The digest of bytes. */
export function sha256(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = START.slice();
  const words = new Uint32Array(64);
  const whole = data.length - (data.length % 64);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let offset = 0; offset < whole; offset += 64) mix(state, words, view, offset);
  const rest = data.length - whole;
  const last = new Uint8Array(rest < 56 ? 64 : 128);
  last.set(data.subarray(whole));
  last[rest] = 0x80;
  const tail = new DataView(last.buffer);
  tail.setUint32(last.length - 8, Math.floor(data.length / 2 ** 29));
  tail.setUint32(last.length - 4, (data.length << 3) >>> 0);
  for (let offset = 0; offset < last.length; offset += 64) mix(state, words, tail, offset);
  const digest = new Uint8Array(32);
  const out = new DataView(digest.buffer);
  state.forEach((word, index) => out.setUint32(4 * index, word));
  return digest;
}

/** The digest of bytes in lower-case hex. */
export function sha256Hex(data: Uint8Array): string {
  return encodeHex(sha256(data));
}

function mix(state: Uint32Array, words: Uint32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index++) words[index] = view.getUint32(offset + 4 * index);
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15] as number;
    const late = words[index - 2] as number;
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = (words[index - 16] as number) + first + (words[index - 7] as number) + second;
  }
  let [a, b, c, d] = [
    state[0] as number,
    state[1] as number,
    state[2] as number,
    state[3] as number,
  ];
  let [e, f, g, h] = [
    state[4] as number,
    state[5] as number,
    state[6] as number,
    state[7] as number,
  ];
  for (let index = 0; index < 64; index++) {
    const choice = (e & f) ^ (~e & g);
    const first =
      (h +
        (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
        choice +
        (ROUND[index] as number) +
        (words[index] as number)) |
      0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] as number) + word;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}
