import {readdir, readFile, stat} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {parsePythonFrame} from '../core/source/python-frame.js';
import {automaticRanges, type AutomaticKind} from '../core/source/automatic-ranges.js';
import type {Sidecar, TagSite} from '../core/source/sidecar.js';
import {SourceIndex} from '../core/source/source-index.js';
import {unmatched, type Unmatched} from '../core/source/unmatched.js';
import {getOrAdd} from '../core/table/get-or-add.js';
import {readSidecar} from '../launch/run/sidecar-file.js';
import {fileContents, mostSourceBytes} from '../source/file-contents.js';
import {kernelSitesOfProfile} from './compiled-graphs.js';
import type {LoadedProfile} from './load-trace.js';

/** The place that opens a range; null if unknown. A notebook has no line, because it would be a line of a cell. */
export interface SourcePlace {
  readonly file: string | null;
  readonly line: number | null;
}

/** The places that open ranges. */
export interface Sources {
  /** Ranges of lines without tags, and of modules where such lines were recorded: name → what it is of. */
  readonly automatic: ReadonlyMap<string, AutomaticKind>;
  /** The runner's sidecar. */
  readonly sidecar: Sidecar | null;
  /** The line of a range, a module or a Python frame; of several the one that ran most often, or the first. */
  readonly placeOf: (name: string) => SourcePlace;
  /** The number of lines of the folder that can have opened a range, and so share its figures. */
  readonly placesOf: (name: string) => number;
  /** What of the ranges and of the folder's tags has nothing on the other side; null where no folder was named. */
  readonly unmatched: (names: readonly string[]) => Unmatched | null;
}

/** Folders that hold no code of the user's own. */
const skippedFolders = new Set(['node_modules', '__pycache__', 'site-packages', 'venv']);

/**
 * Returns the places from the runner's sidecar beside the trace, else from the source files under `folder`.
 *
 * @param tracePath the profile as the user named it
 * @throws TraceError `file/missing` where `folder` is no folder
 */
export async function findSources(tracePath: string, profile: LoadedProfile, folder: string | null): Promise<Sources> {
  const sidecar = await readSidecar(tracePath);
  const sites = await readSites(tracePath, sidecar, profile);
  const index = folder === null ? new SourceIndex() : await scanFolder(folder);
  const automatic = automaticRanges(sidecar);
  return {
    automatic,
    sidecar,
    placeOf(name) {
      const site = sites.get(name);
      if (site) return {file: site.file, line: site.line};
      const frame = parsePythonFrame(name);
      if (frame) return {file: index.paths.matching(frame.path)[0] ?? null, line: frame.line};
      const [place] = index.placesFor(name);
      return {file: place?.file ?? null, line: place?.cell === undefined ? (place?.line ?? null) : null};
    },
    placesOf: name => index.placesFor(name).length,
    unmatched: names =>
      folder === null ? null : unmatched(index, names, name => sites.has(name) || automatic.has(name)),
  };
}

type SeenLine = Pick<TagSite, 'file' | 'line' | 'count'>;

async function readSites(
  tracePath: string,
  sidecar: Sidecar | null,
  profile: LoadedProfile,
): Promise<Map<string, SeenLine>> {
  const sites = new Map<string, SeenLine>();
  for (const site of sidecar?.sites ?? []) {
    const known = sites.get(site.name);
    if (!known || site.count > known.count) sites.set(site.name, site);
  }
  // For a fused kernel, the first of its lines.
  for (const {name, file, line} of [
    ...(await kernelSitesOfProfile(tracePath, sidecar, () => Promise.resolve(profile))),
    ...(sidecar?.compiledCalls ?? []),
    ...(sidecar?.lines ?? []),
  ])
    getOrAdd(sites, name, () => ({file, line, count: 0}));
  return sites;
}

/** @throws TraceError `file/missing` */
export async function requireSourceFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null);
  if (!stats?.isDirectory()) throw new TraceError('file/missing', `--source ${folder} is not a folder.`);
}

async function scanFolder(folder: string): Promise<SourceIndex> {
  await requireSourceFolder(folder);
  const index = new SourceIndex();
  for await (const path of sourceFiles(folder)) {
    const text = await readFile(path, 'utf8').catch(() => '');
    index.set(relative(folder, path), await fileContents(path, text));
  }
  return index;
}

/** Source files below a folder, in the order of their names; folders of installed code are passed over. */
export async function* sourceFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name) && !entry.name.startsWith('.')) yield* sourceFiles(path);
    } else if (entry.isFile() && mostSourceBytes(path) > 0) {
      // A file can go while others are read.
      const size = await stat(path).then(
        stats => stats.size,
        () => null,
      );
      if (size !== null && size <= mostSourceBytes(path)) yield path;
    }
  }
}
