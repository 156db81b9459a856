import {createHmac, randomBytes} from 'node:crypto';
import {partRows, type PartRows} from '../core/export/part-rows.js';
import {perfettoJson} from '../core/export/perfetto-json.js';
import {slicesCsv} from '../core/export/slices-csv.js';
import {tracePart} from '../core/export/trace-part.js';
import {withoutNames, type NamesWritten} from '../core/export/without-names.js';
import {say, template} from '../core/base/say.js';
import {formatCount} from '../core/format/count.js';
import type {Selection} from '../core/scope/selection.js';
import type {Trace} from '../core/trace/trace.js';
import {copiedPart} from './copied-part.js';
import {openTrace} from './open-trace.js';
import type {ImportOptions} from './reading/importer.js';

/** The formats in which a profile's events can be written. */
export const eventFormats = ['perfetto', 'pytorch', 'csv'] as const;

/** Which part of a profile to write, and in which format. */
export interface PartWanted {
  /** An empty selection means the whole profile. */
  readonly selection: Selection;
  readonly to: (typeof eventFormats)[number];
  readonly names: NamesWritten;
}

/** The file to write, and a note about it. */
export interface ExportedFile {
  readonly parts: Iterable<string | Uint8Array>;
  readonly notes: readonly string[];
}

const withoutCaptured = template(
  'What graphs replay has its launch in the file, but no operators, modules and lines: these come from the profile of the capture.',
);

/**
 * Returns the events of a profile's selection as a file, with a note on what was left out.
 *
 * @param path the profile's file, which is read again if its own events are copied
 * @throws TraceError `selection/no-match`, `file/…`, `import/cancelled`
 */
export async function exportedPart(
  path: string,
  opened: Trace,
  {selection, to, names}: PartWanted,
  options: ImportOptions,
): Promise<ExportedFile> {
  // A reader would take what was added to launches of graphs for calls of the run.
  const trace = isExpanded(opened) ? await openTrace(path, {...options, withoutCapture: true}) : opened;
  const rows = partRows(trace, selection);
  const isWhole = Object.keys(selection).length === 0;
  const notes = [...(isWhole ? [] : [partNote(trace, rows)]), ...(trace === opened ? [] : [say(withoutCaptured)])];
  if (isCopied({to, names})) {
    const texts = await copiedPart(path, trace, rows, options);
    if (texts) return {parts: texts, notes};
  }
  const part = hidden(isWhole ? trace : tracePart(trace, rows), names);
  return {parts: to === 'csv' ? slicesCsv(part) : perfettoJson(part), notes};
}

/** Returns whether the profile's file is read again. */
export function isReadAgain(trace: Trace, wanted: Pick<PartWanted, 'to' | 'names'>): boolean {
  return isCopied(wanted) || isExpanded(trace);
}

/** Returns whether a trace has rows that are in no file: those of the calls that captured its graphs. */
function isExpanded(trace: Trace): boolean {
  return trace.capturedCalls.length > 0;
}

/** Returns whether events are copied from their file verbatim: their arguments contain names and paths. */
function isCopied({to, names}: Pick<PartWanted, 'to' | 'names'>): boolean {
  return to === 'pytorch' && names === 'keep';
}

/** The key is used for one file only, so that nobody can test names by hashing them. */
function hidden(trace: Trace, names: NamesWritten): Trace {
  if (names === 'keep') return trace;
  const key = randomBytes(32);
  const hash = (text: string) => createHmac('sha256', key).update(text).digest('hex').slice(0, 16);
  return withoutNames(trace, names === 'hash' ? hash : null);
}

/** Returns a note on what a part contains and what was left out. */
function partNote({gpuOperations, slices}: Trace, rows: PartRows): string {
  const count = (mask: Uint8Array) => formatCount(mask.reduce((sum, isIn) => sum + isIn, 0));
  return say(
    'The file has {0} of {1} GPU operations and {2} of {3} slices: the selection, what launched it, and the slices around it.',
    count(rows.operations),
    formatCount(gpuOperations.length),
    count(rows.slices),
    formatCount(slices.length),
  );
}
