/** A map that cannot be changed. */

/** A Map whose mutators throw TypeError once it is made. */
export class FrozenMap<K, V> extends Map<K, V> {
  // Set after the constructor of Map, which fills it through `set`.
  readonly #frozen: boolean = true;

  override set(key: K, value: V): this {
    if (#frozen in this) refuse();
    return super.set(key, value);
  }

  override delete(): never {
    refuse();
  }

  override clear(): never {
    refuse();
  }
}

function refuse(): never {
  throw new TypeError("a result is immutable; copy this map to change it: new Map(…)");
}
