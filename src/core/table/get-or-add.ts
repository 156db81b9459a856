/** The common interface of maps and weak maps. */
interface Remembers<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Returns the value of `key`; `create` makes it if there is none yet. */
export function getOrAdd<K, V>(map: Remembers<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
