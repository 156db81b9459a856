import {readdir, readFile, stat} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {TraceError} from '../core/errors.js';
import {isExactName, matchesName, type NamePattern} from '../core/source/name-pattern.js';
import type {TagSite} from '../core/source/sidecar.js';
import {readSidecar} from '../launch/sidecar-file.js';
import {findPythonTags} from '../source/python-tags.js';

/** Where a range is opened; null where nothing says so. */
export interface SourcePlace {
  readonly file: string | null;
  readonly line: number | null;
}

/** Folders that hold no code of the user's own. */
const skippedFolders = new Set(['node_modules', '__pycache__', 'site-packages', 'venv']);
const longestSourceBytes = 4 << 20;

/**
 * A look-up from range name to its line: from the runner's sidecar beside the trace, else from the tags in the Python
 * files under `folder`. Of several lines it gives the one that ran most often, or the first exact one in the folder.
 *
 * @throws TraceError `file/missing` where `folder` is no folder
 */
export async function findSources(tracePath: string, folder: string | null): Promise<(name: string) => SourcePlace> {
  const sites = await readSites(tracePath);
  const tags = folder === null ? [] : await scanFolder(folder);
  return name => {
    const site = sites.get(name);
    if (site) return {file: site.file, line: site.line};
    const tag = tags.find(({pattern}) => matchesName(pattern, name));
    return {file: tag?.file ?? null, line: tag?.line ?? null};
  };
}

async function readSites(tracePath: string): Promise<Map<string, TagSite>> {
  const sidecar = await readSidecar(tracePath);
  const sites = new Map<string, TagSite>();
  for (const site of sidecar?.sites ?? []) {
    const known = sites.get(site.name);
    if (!known || site.count > known.count) sites.set(site.name, site);
  }
  return sites;
}

interface FileTag {
  readonly pattern: NamePattern;
  readonly file: string;
  readonly line: number;
}

/** Tags with an exact name come before patterns, which may match by accident. */
async function scanFolder(folder: string): Promise<FileTag[]> {
  const stats = await stat(folder).catch(() => null);
  if (!stats?.isDirectory()) throw new TraceError('file/missing', `--source ${folder} is not a folder.`);
  const tags: FileTag[] = [];
  for await (const path of pythonFiles(folder)) {
    const text = await readFile(path, 'utf8').catch(() => '');
    for (const {pattern, line} of findPythonTags(text)) {
      if (pattern) tags.push({pattern, file: relative(folder, path), line});
    }
  }
  return tags.sort((a, b) => Number(isExactName(b.pattern)) - Number(isExactName(a.pattern)));
}

async function* pythonFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name) && !entry.name.startsWith('.')) yield* pythonFiles(path);
    } else if (entry.isFile() && entry.name.endsWith('.py') && (await stat(path)).size <= longestSourceBytes)
      yield path;
  }
}
