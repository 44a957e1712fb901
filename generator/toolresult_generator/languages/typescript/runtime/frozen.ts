/** A map that cannot be changed. */

/**
 * A ReadonlyMap that is no Map, so that nothing of Map can change it: `Map.prototype.set.call`
 * refuses what is not one. `new Map(it)` gives one to change.
 */
export class FrozenMap<K, V> implements ReadonlyMap<K, V> {
  readonly #entries: Map<K, V>;

  constructor(entries: Iterable<readonly [K, V]> = []) {
    this.#entries = new Map(entries);
    Object.freeze(this);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  entries(): ReturnType<ReadonlyMap<K, V>["entries"]> {
    return this.#entries.entries();
  }

  keys(): ReturnType<ReadonlyMap<K, V>["keys"]> {
    return this.#entries.keys();
  }

  values(): ReturnType<ReadonlyMap<K, V>["values"]> {
    return this.#entries.values();
  }

  forEach(call: (value: V, key: K, map: ReadonlyMap<K, V>) => void, self?: unknown): void {
    for (const [key, value] of this.#entries) call.call(self, value, key, this);
  }

  [Symbol.iterator](): ReturnType<ReadonlyMap<K, V>["entries"]> {
    return this.#entries.entries();
  }

  /** How Node shows it. */
  [Symbol.for("nodejs.util.inspect.custom")](): ReadonlyMap<K, V> {
    return new Map(this.#entries);
  }
}

/** Whether this is a map, of ours or of the engine. */
export function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  return value instanceof Map || value instanceof FrozenMap;
}
