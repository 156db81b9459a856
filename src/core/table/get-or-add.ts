/** What a map and a weak map do alike. */
interface Remembers<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value of `key`, which `create` makes where there is none yet. */
export function getOrAdd<K, V>(map: Remembers<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
