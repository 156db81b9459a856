import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import type {PartRows} from '../../core/export/part-rows.js';
import type {DetailKind, ReportDetails} from '../../core/figures/report-details.js';
import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {InstantKind} from '../../core/trace/instants.js';
import {formatMegabytes, type MemoryLimit} from '../../core/trace/memory-limit.js';
import type {SliceKind} from '../../core/trace/slices.js';
import type {DraftTrace} from '../../core/trace/trace-builder.js';
import type {Trace, TraceMeta} from '../../core/trace/trace.js';
import {formatLimit, type UnpackedLimit} from '../../core/trace/unpacked-limit.js';

/** The progress of an import. `totalBytes` is the size of the file as stored, compressed or not. */
export interface ImportProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /**
   * Receives a function that returns the rows so far: once, before the first progress, and again if the file is reread
   * in another way. Call that function only in `onProgress`.
   */
  readonly onBegin?: ((draft: () => DraftTrace) => void) | undefined;
  /** How much a compressed file may unpack to; if absent, it is unpacked to its end. */
  readonly unpackedLimit?: UnpackedLimit | undefined;
  /**
   * How much memory the import may hold; if it reaches the limit, the trace is what was read by then. No limit if
   * absent.
   */
  readonly memoryLimit?: MemoryLimit | undefined;
  /** Leaves replays of graphs without what the capture that was recorded with them shows. */
  readonly withoutCapture?: boolean | undefined;
}

/** The facts about a file that are needed to choose an importer. */
export interface FileHead {
  readonly path: string;
  readonly bytes: number;
  readonly compression: 'none' | 'gzip' | 'zstd';
  /** The first bytes, decompressed: up to 64 KiB. */
  readonly head: Buffer;
}

/** Reads up to `limit` bytes from an offset of the decompressed file. */
export type ReadPart = (offset: number, limit: number) => Promise<Uint8Array>;

/** An event whose further data is wanted: its kind, its name, and its place in the file. */
export interface EventPlace {
  readonly kind: SliceKind | InstantKind;
  readonly name: string;
  readonly source: number;
}

/**
 * Where the editor offers GPU Lens for a file name. Each place includes those after it:
 *
 * - `default`: a double click opens the timeline. Only profilers write such names.
 * - `open-with`: "Open With…". Other programs own files of that name as well.
 * - `menu`: "Open Profile…" in the explorer's context menu.
 * - `dialog`: the dialog of "Open Profile…".
 */
export type PatternUse = 'default' | 'open-with' | 'menu' | 'dialog';

/**
 * A format of profiles: everything that GPU Lens knows about it. `formats.ts` lists all formats, and code that depends
 * on a file's format uses that list.
 */
export interface Importer {
  /** The format's short name, which is the `format` of its traces' `meta`. */
  readonly format: string;
  /** Other short names that `read` may give a trace. */
  readonly variants?: readonly string[];
  /** The name of such files in a sentence, translated where it is shown: "PyTorch profiler traces". */
  readonly title: string;
  /** The format's description in `gpu-lens --help`. */
  readonly help: string;
  /** Names of its files, such as `*.pt.trace.json`, each with the place where the editor offers GPU Lens. */
  readonly patterns: Readonly<Record<string, PatternUse>>;
  /** Whether the head belongs to this format. Formats are detected by content: a file's name proves nothing. */
  readonly matches: (file: FileHead) => boolean;
  /** Whether a file that `matches` is certainly a profile, so that the editor may offer to open it. */
  readonly recognises: (file: FileHead) => boolean | Promise<boolean>;
  /**
   * Reads the file; null if it turns out to be of no known format.
   *
   * @throws TraceError `import/…` if no event can be read
   */
  readonly read: (file: FileHead, options: ImportOptions) => Promise<Trace | null>;
  /** Returns the file's further data on an event, besides its name and times; null if the event is no longer there. */
  readonly readArguments: (file: FileHead, place: EventPlace, read: ReadPart) => Promise<SliceArgument[] | null>;
  /**
   * Reads the additional data that reports need. Data that the file lacks is absent. @throws TraceError
   * `import/cancelled`
   */
  readonly readDetails: (
    file: FileHead,
    trace: Trace,
    wanted: ReadonlySet<DetailKind>,
    options: ImportOptions,
  ) => Promise<ReportDetails>;
  /** How parts of a trace are copied from its file; absent if they are written anew, from the trace. */
  readonly parts?: PartCopier;
}

/** Copies parts of traces of one format from their files, with everything that the files tell of an event. */
interface PartCopier {
  /** Whether it copies a trace: other variants of its format are written anew. */
  readonly copies: (meta: TraceMeta) => boolean;
  /**
   * Returns the texts of a file with some rows of a trace; null if its own file lacks an event for each row.
   *
   * @throws TraceError `file/…`, `import/cancelled`
   */
  readonly copy: (file: FileHead, trace: Trace, rows: PartRows, options: ImportOptions) => Promise<string[] | null>;
}

/** Returns the error for a file whose first rows already exceed the limit. */
export function tooMuchMemory({path}: FileHead, limit: MemoryLimit | undefined): TraceError {
  const name = basename(path);
  const text = limit
    ? say(
        'The first events of {0} need more than {1} of memory. {2} raises the limit.',
        name,
        formatMegabytes(limit),
        limit.name,
      )
    : say('The first events of {0} need more memory than there is.', name);
  return new TraceError('import/too-large', text);
}

/** Returns the error for a compressed file whose first bytes, up to the limit, contain nothing to show. */
export function tooMuchUnpacked({path}: FileHead, limit: UnpackedLimit | undefined): TraceError {
  const [size, name] = limit ? [formatLimit(limit), limit.name] : ['', ''];
  return new TraceError(
    'import/too-large',
    say(
      '{0} unpacks to more than {1}, and GPU Lens found no slice up to there. {2} raises the limit.',
      basename(path),
      size,
      name,
    ),
  );
}

/** @throws TraceError `import/cancelled` if the signal is aborted */
export function throwIfCancelled(signal: AbortSignal | undefined, path: string): void {
  if (signal?.aborted) throw new TraceError('import/cancelled', say('Opening {0} was cancelled.', basename(path)));
}
