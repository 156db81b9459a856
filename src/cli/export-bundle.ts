import {realpathSync} from 'node:fs';
import {basename, relative, sep} from 'node:path';
import {PassThrough, pipeline, Readable} from 'node:stream';
import {createGzip} from 'node:zlib';
import {ZipFile} from 'yazl';
import {automaticRanges} from '../core/source/automatic-ranges.js';
import {sharedSidecar} from '../core/source/shared-sidecar.js';
import {sidecarPath, type Sidecar} from '../core/source/sidecar.js';
import {rangeRows} from '../core/figures/range-rows.js';
import {plural} from '../core/format/count.js';
import type {Selection} from '../core/scope/selection.js';
import {taggedRangeKinds} from '../core/trace/slices.js';
import {readRegularFile} from '../launch/programs/regular-file.js';
import {mostSourceBytes} from '../source/file-contents.js';
import {realPathBelow} from './is-below.js';
import type {LoadedProfile} from './load-trace.js';
import {writeOutput} from './output-file.js';
import {findSources} from './sources.js';

/** The files of a bundle besides the events. */
export interface BundledSources {
  /** Path in the bundle, relative to the folder → the file's real path. */
  readonly files: ReadonlyMap<string, string>;
  /** The part of the runner's sidecar that is about these files, if there is a sidecar. */
  readonly sidecar: string | null;
}

const mostNamesShown = 5;

/** Ranges that can be opened by a line of the source. */
const rangesOfLines = [...taggedRangeKinds, 'module', 'python_function'] as const;

/**
 * Returns the files below a folder that hold lines with figures of a selection.
 *
 * @param path the profile as the user named it
 * @throws TraceError `file/missing` where `folder` is no folder
 */
export async function sourcesToBundle(
  path: string,
  profile: LoadedProfile,
  folder: string,
  selection: Selection,
): Promise<BundledSources> {
  const {placeOf, sidecar} = await findSources(path, profile, folder);
  const operators = [...automaticRanges(sidecar).keys()];
  const rows = rangeRows(profile.trace, 'name', {kinds: rangesOfLines, operators, selection});
  const named = rows.flatMap(({name, names}) => (names > 0 ? [placeOf(name).file] : []));
  const files = new Map<string, string>();
  for (const file of new Set([...named, ...filesOfKernels(sidecar)])) {
    const real = file === null ? null : realPathBelow(folder, file);
    // A sidecar can name any file, so only source files are bundled.
    if (real !== null && mostSourceBytes(real) > 0) files.set(pathBelow(folder, real), real);
  }
  const isShared = (file: string) => {
    const real = realPathBelow(folder, file);
    return real !== null && files.has(pathBelow(folder, real));
  };
  return {files, sidecar: sidecar && sharedSidecar(sidecar, isShared)};
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, mostNamesShown).join(', ');
  return names.length > mostNamesShown ? `${shown}, …` : shown;
}

/** Lines of compiled kernels have figures without a range. */
function filesOfKernels(sidecar: Sidecar | null): readonly string[] {
  return [...(sidecar?.kernels ?? []), ...(sidecar?.compiledCalls ?? [])].map(({file}) => file);
}

function pathBelow(folder: string, real: string): string {
  return relative(realpathSync(folder), real).split(sep).join('/');
}

/**
 * Writes a zip with the events of a profile, the lines that opened its ranges, and the source files with these lines.
 * Users who unpack it and open the folder see the figures on the lines.
 *
 * @param output a path that ends in `.zip`
 * @param ending of the profile's name in the zip, which begins like the zip's name
 * @returns messages about the written file
 * @throws TraceError `file/unwritable`
 */
export async function writeBundle(
  output: string,
  ending: string,
  parts: Iterable<string | Uint8Array>,
  {files, sidecar}: BundledSources,
): Promise<readonly string[]> {
  const trace = `${basename(output).replace(/\.zip$/i, '')}${ending}`;
  const zip = new ZipFile();
  const written = zip.outputStream.pipe(new PassThrough());
  zip.on('error', (error: Error) => written.destroy(error));
  const compressed = createGzip();
  // An error reaches the zip through the stream that it reads.
  pipeline(Readable.from(parts), compressed, () => undefined);
  zip.addReadStream(compressed, trace, {compress: false});
  if (sidecar !== null) zip.addBuffer(Buffer.from(sidecar), sidecarPath(trace));
  const names: string[] = [];
  for (const [name, path] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const text = await readRegularFile(path, (file, bytes) =>
      Promise.resolve(bytes <= mostSourceBytes(path) ? file.readFile() : null),
    );
    if (text === null) continue;
    zip.addBuffer(text, name);
    names.push(name);
  }
  zip.end();
  await writeOutput(output, written);
  return [
    names.length === 0
      ? 'The bundle has no source: no line of the folder has figures.'
      : `The bundle has ${trace} and ${plural(names.length, 'source file')} (${namesText(names)}): unpack it, and open the folder.`,
  ];
}
