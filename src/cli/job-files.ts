import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';

/** A profile to read. */
export interface JobPath {
  readonly path: string;
  /** Whether it was named itself, and not found in a folder. */
  readonly isNamed: boolean;
}

/** How profilers call their files, and `gpu-lens summarize` its own. */
const profileName = /\.(json|json\.gz|json\.zst|sqlite|nsys-rep|qdrep|parquet)$/i;

/** Returns the profiles at some paths in the order of their names: files as they are, of folders what looks like one. */
export async function jobFiles(paths: readonly string[]): Promise<JobPath[]> {
  const found: JobPath[] = [];
  for (const path of paths) {
    // What is not there is said by whoever opens it.
    const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
    if (!isFolder) {
      found.push({path, isNamed: true});
      continue;
    }
    const names = await readdir(path, {recursive: true});
    for (const name of names.filter(one => isProfileName(one)).sort(byNumbers)) {
      found.push({path: join(path, name), isNamed: false});
    }
  }
  return found;
}

/** What the runner writes beside its profiles is none. */
function isProfileName(name: string): boolean {
  return profileName.test(name) && !name.endsWith('.meta.json');
}

/** `rank2` before `rank10`. */
const byNumbers = new Intl.Collator('en', {numeric: true}).compare;
