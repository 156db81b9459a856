import {getOrAdd} from '../table/get-or-add.js';

/** Files by name, so that a path of another machine is compared with only a few. */
export class PathIndex {
  readonly #byName = new Map<string, Set<string>>();
  #version = 0;

  /** Changes whenever a file is added or removed. */
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
   * Returns the files that a path of a profile may refer to, in order: those that share the longest end with it. An
   * absolute path may be in other folders on this machine. For a relative path, which profilers shorten to start at a
   * package, all parts must match: `torch/nn/module.py` is not `model/module.py`. The same holds for an installed
   * package, and Python's own files are never in a workspace.
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

/**
 * Returns the part of a path to search for: for an installed package, everything from its folder on; for Python's own
 * files, nothing.
 */
function wantedPath(path: string): string {
  const installed = /[\\/](?:site|dist)-packages[\\/](.*)$/.exec(path)?.[1];
  return installed ?? (/[\\/]lib[\\/]python\d[^\\/]*[\\/]/i.test(path) ? '' : path);
}

/** Splits a path of any system into its folders and its name. Profilers cut off the front of paths. */
export function partsOf(path: string): string[] {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.');
}

/** Returns how many parts two paths share at their ends. */
export function sharedEnd(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length;
}
