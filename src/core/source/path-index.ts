import {getOrAdd} from '../table/get-or-add.js';

/** Files by their names, so that a path of another machine is looked for among few. */
export class PathIndex {
  readonly #byName = new Map<string, Set<string>>();
  #version = 0;

  /** Another number whenever a file came or went. */
  get version(): number {
    return this.#version;
  }

  add(file: string): void {
    const files = getOrAdd(this.#byName, partsOf(file).at(-1) ?? '', () => new Set());
    if (files.has(file)) return;
    files.add(file);
    this.#version++;
  }

  delete(file: string): void {
    if (this.#byName.get(partsOf(file).at(-1) ?? '')?.delete(file)) this.#version++;
  }

  /**
   * The files of which a path of a profile may mean one, in order: those that share the longest end with it. One from
   * the root may lie in other folders here; of one that is cut, as profilers do where a package is found, nothing may
   * differ: `torch/nn/module.py` is no `model/module.py`. So it is with a package that is installed, and Python's own
   * files are none of a workspace.
   */
  matching(path: string): string[] {
    const wanted = wantedPath(path);
    const parts = partsOf(wanted);
    const isWhole = /^([\\/]|[a-zA-Z]:)/.test(wanted);
    let longest = 0;
    let found: string[] = [];
    for (const file of this.#byName.get(parts.at(-1) ?? '') ?? []) {
      const own = partsOf(file);
      const length = sharedEnd(own, parts);
      if (!isWhole && length < Math.min(own.length, parts.length)) continue;
      if (length > longest) [longest, found] = [length, [file]];
      else if (length === longest) found.push(file);
    }
    return found.sort();
  }
}

/** What of a path is looked for: of an installed package all from its folder on, of Python's own files nothing. */
function wantedPath(path: string): string {
  const installed = /[\\/](?:site|dist)-packages[\\/](.*)$/.exec(path)?.[1];
  return installed ?? (/[\\/]lib[\\/]python\d[^\\/]*[\\/]/i.test(path) ? '' : path);
}

/** The folders and the name of a path of any system; profilers cut the front of paths off. */
export function partsOf(path: string): string[] {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.');
}

/** How many parts two paths share at their ends. */
export function sharedEnd(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}
