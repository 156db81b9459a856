import {basename, join, relative} from 'node:path';
import {stat} from 'node:fs/promises';
import {TraceError} from '../core/base/errors.js';
import {plural} from '../core/format/count.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import {formatBytes} from '../core/memory-snapshot/format-bytes.js';
import {profileFigures, type ProfileFigures} from '../core/summary/profile-figures.js';
import {isFolder} from '../importers/files/is-folder.js';
import {jobFiles, type JobPath} from '../importers/files/job-files.js';
import {isZip} from '../importers/files/unzip.js';
import type {CommandContext} from './command.js';
import {FiguresThreads} from './figures-threads.js';
import {limitOfUnpacking, loadTrace} from './load-trace.js';
import {KeptFigures} from './kept-figures.js';
import {memoryLimit} from './memory-option.js';
import {formatRows, type Column} from './report.js';
import {untilStopped} from './until-stopped.js';

/** A profile of a folder. */
interface ListedProfile {
  /** Its path in the folder, or as it was named. */
  readonly file: string;
  readonly bytes: number;
  /** Its figures, or why it cannot be read. */
  readonly read: ProfileFigures | Error;
}

/** Returns whether some paths are to be listed, a line for each profile: one of them is a folder or a zip. */
export async function isList(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if ((await isFolder(path)) || (await isZip(path))) return true;
  return false;
}

/**
 * Writes a row for each profile at some paths, folders and zips among them. A profile that cannot be read has the
 * reason in its row, and sets the exit status; what is no profile at all is counted in a note.
 *
 * @throws TraceError if there is no profile, or a zip cannot be read
 */
export async function listProfiles(context: CommandContext, paths: readonly string[]): Promise<void> {
  const found = await untilStopped(signal => readAll(context, paths, signal));
  const listed = found.flatMap(({profile}) => profile ?? []);
  const leftOut = found.flatMap(({path, profile}) => (profile ? [] : [basename(path)]));
  if (listed.length === 0) {
    const names = paths.map(path => basename(path)).join(', ');
    throw new TraceError('import/unknown-format', `No profile was found in ${names}.`);
  }
  context.write(text(listed, context.format));
  if (leftOut.length > 0) context.tellNote(leftOutText(leftOut));
  if (listed.some(({read}) => read instanceof Error)) context.exitWith(1);
}

interface FoundFile {
  readonly path: string;
  /** Null if it is no profile. */
  readonly profile: ListedProfile | null;
}

/** Reads the profiles, small ones in several threads. @throws TraceError `import/cancelled` */
async function readAll(context: CommandContext, paths: readonly string[], signal: AbortSignal): Promise<FoundFile[]> {
  const threads = new FiguresThreads({unpackedLimit: limitOfUnpacking(), memoryLimit: memoryLimit()});
  const kept = await KeptFigures.of(paths);
  const end = () => void threads.end();
  signal.addEventListener('abort', end);
  const found: Promise<FoundFile>[] = [];
  try {
    for await (const file of jobFiles(paths, limitOfUnpacking(), signal)) {
      if (!file.isNamed && (isSummary(file) || (await hasExport(file)))) continue;
      const isThreaded = threads.isUseful && (await isForThread(file));
      const figures = async (path: string) => (isThreaded ? threads.read(path) : profileFigures(await loadTrace(path)));
      const read = listedProfile(file, paths, path =>
        // What is unpacked from a zip has another path each time.
        file.place.entry === null ? kept.figures(path, () => figures(path)) : figures(path),
      ).then(profile => {
        context.tellProgress(`Profile ${file.progress}`);
        return {path: file.path, profile};
      });
      // It is waited for below: until then, nobody handles its failure.
      read.catch(() => undefined);
      found.push(read);
      if (!isThreaded) await read;
    }
    const all = await Promise.all(found);
    await kept.save();
    return all;
  } finally {
    signal.removeEventListener('abort', end);
    await threads.end();
    await Promise.allSettled(found);
  }
}

/** The largest files that a thread reads. Others are scanned by a thread of their own; and one is read at a time. */
const mostThreadBytes = {packed: 1 << 20, plain: 16 << 20} as const;

/** Returns whether a file is a small trace. A file of a zip is there only until the next one is requested. */
async function isForThread({path, place}: JobPath): Promise<boolean> {
  if (!/\.json(\.gz|\.zst)?$/i.test(path) || place.entry !== null) return false;
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true && found.size < mostThreadBytes[/\.json$/i.test(path) ? 'plain' : 'packed'];
}

/** Returns whether a file is one of `gpu-lens summarize`, which is not a profile. */
function isSummary({path}: JobPath): boolean {
  return path.endsWith('.parquet');
}

/** Returns whether the export of a report lies beside it, as nsys writes it: that is the same profile. */
async function hasExport({path}: JobPath): Promise<boolean> {
  const exported = path.replace(/\.(nsys-rep|qdrep)$/i, '.sqlite');
  return exported !== path && (await stat(exported).catch(() => null))?.isFile() === true;
}

/** Codes of errors that say that a file is something else, not a profile that cannot be read. */
const foreignCodes: ReadonlySet<string> = new Set(['import/unknown-format', 'import/not-a-trace', 'import/not-nsys']);

/** Returns null for a file of a folder that is no profile. @throws TraceError `import/cancelled` */
async function listedProfile(
  {path, isNamed, place}: JobPath,
  paths: readonly string[],
  figuresOf: (path: string) => Promise<ProfileFigures>,
): Promise<ListedProfile | null> {
  const file = shownName(place, paths);
  const bytes = (await stat(path).catch(() => null))?.size ?? 0;
  try {
    return {file, bytes, read: await figuresOf(path)};
  } catch (error) {
    if (!(error instanceof TraceError) || error.code === 'import/cancelled') throw error;
    if (!isNamed && foreignCodes.has(error.code)) return null;
    return {file, bytes, read: error};
  }
}

/** Below the only folder that was named, a path begins there. */
function shownName({path, entry}: JobPath['place'], [only, ...others]: readonly string[]): string {
  const below = only === undefined || others.length > 0 ? path : relative(only, path);
  return entry === null ? below : join(below, entry);
}

const mostNames = 3;

function leftOutText(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  const rest = names.length > mostNames ? `, and ${String(names.length - mostNames)} more` : '';
  const [are, were] = names.length === 1 ? ['is not a profile', 'was'] : ['are not profiles', 'were'];
  return `${plural(names.length, 'file')} ${are} and ${were} left out: ${shown}${rest}.`;
}

function text(profiles: readonly ListedProfile[], format: CommandContext['format']): string {
  return format === 'json'
    ? `${JSON.stringify(profiles.map(asJson), null, 2)}\n`
    : formatRows(profiles, columns, format);
}

function asJson({file, bytes, read}: ListedProfile): object {
  return read instanceof Error ? {file, bytes, error: read.message} : {file, bytes, ...read};
}

/** A column of figures: nothing where a profile cannot be read. */
function figure(
  key: string,
  title: string,
  value: (figures: ProfileFigures) => number | string | null,
  textOf?: (figures: ProfileFigures) => string,
): Column<ListedProfile> {
  return {
    ...{key, title, value: ({read}) => (read instanceof Error ? null : value(read))},
    ...(textOf && {text: ({read}) => (read instanceof Error ? '' : textOf(read))}),
  };
}

const columns: readonly Column<ListedProfile>[] = [
  {key: 'file', title: 'File', value: ({file}) => file},
  figure('profiler', 'Profiler', ({profiler}) => profiler),
  figure('gpus', 'GPU', gpuText),
  figure('steps', 'Steps', ({steps}) => steps),
  figure(
    'stepNs',
    'Step',
    ({stepNs}) => stepNs,
    ({stepNs}) => (stepNs === null ? '' : formatDuration(stepNs)),
  ),
  figure(
    'spanNs',
    'Span',
    ({spanNs}) => spanNs,
    ({spanNs}) => formatDuration(spanNs),
  ),
  figure(
    'gpuWorkNs',
    'GPU work',
    ({gpu}) => gpu.workNs,
    ({gpu}) => formatDuration(gpu.workNs),
  ),
  figure(
    'gpuBusyNs',
    'GPU busy',
    ({gpu}) => gpu.busyNs,
    ({gpu}) => (gpu.spanNs > 0 ? formatPercent(gpu.busyNs, gpu.spanNs) : ''),
  ),
  {key: 'bytes', title: 'Size', value: ({bytes}) => bytes, text: ({bytes}) => formatBytes(bytes)},
  {key: 'note', title: 'Note', value: noteOf},
];

function gpuText({gpus, gpuNames}: ProfileFigures): string {
  if (gpus === 0) return '';
  const names = gpuNames.join(', ') || 'GPU';
  return gpus === 1 ? names : `${String(gpus)} × ${names}`;
}

function noteOf({read}: ListedProfile): string {
  return read instanceof Error ? read.message : read.losses.map(({text: said}) => said).join(' ');
}
