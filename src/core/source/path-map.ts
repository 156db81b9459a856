/** Where the files of another machine are on this one: the front of a path there → the front of the path here. */
export type PathMap = Readonly<Record<string, string>>;

/**
 * Returns the local path for a path of another machine, by the longest matching front in the map; null if there is
 * none.
 */
export function mappedPath(path: string, map: PathMap): string | null {
  const there = normal(path);
  let best: string | null = null;
  for (const front of Object.keys(map)) {
    const from = normal(front);
    const fits = there === from || there.startsWith(from.endsWith('/') ? from : `${from}/`);
    if (fits && (best === null || from.length > normal(best).length)) best = front;
  }
  if (best === null) return null;
  const rest = there.slice(normal(best).length).replace(/^\//, '');
  // A path must not leave the mapped folder.
  if (rest.split('/').includes('..')) return null;
  const to = (map[best] ?? '').replace(/[\\/]+$/, '');
  return rest === '' ? to : `${to}/${rest}`;
}

function normal(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes === '/' ? slashes : slashes.replace(/\/+$/, '');
}
