/**
 * Returns the names of files as people tell them apart: the file's name, with as many of its folders as distinguish it
 * from other files of that name. Equal paths get equal names.
 *
 * @param paths with `/` or `\` between folders
 */
export function shortNames(paths: readonly string[]): string[] {
  const parts = paths.map(path => path.split(/[/\\]/));
  const nameOf = (at: number, length: number) => parts[at].slice(-length).join('/');
  const names = paths.map(() => '');
  let open = [...paths.keys()];
  for (let length = 1; open.length > 0; length++) {
    const pathsOf = new Map<string, Set<string>>();
    for (const at of open) {
      const name = nameOf(at, length);
      pathsOf.set(name, (pathsOf.get(name) ?? new Set()).add(paths[at]));
    }
    for (const at of open) names[at] = nameOf(at, length);
    open = open.filter(at => (pathsOf.get(names[at])?.size ?? 0) > 1 && length < parts[at].length);
  }
  return names;
}
