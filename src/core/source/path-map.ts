/** Where the files of another machine lie here: the front of a path there → that of the path here. */
export type PathMap = Readonly<Record<string, string>>;

/** The path here of a path there, by the longest front that the map has; null where it has none. */
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
  // A path must not leave the folder that the map names.
  if (rest.split('/').includes('..')) return null;
  const to = (map[best] ?? '').replace(/[\\/]+$/, '');
  return rest === '' ? to : `${to}/${rest}`;
}

function normal(path: string): string {
  const slashes = path.replaceAll('\\', '/');
  return slashes === '/' ? slashes : slashes.replace(/\/+$/, '');
}
