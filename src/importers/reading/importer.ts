import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import type {DetailKind, ReportDetails} from '../../core/figures/report-details.js';
import type {SliceArgument} from '../../core/questions/slice-details.js';
import type {InstantKind} from '../../core/trace/instants.js';
import {formatMegabytes, type MemoryLimit} from '../../core/trace/memory-limit.js';
import type {SliceKind} from '../../core/trace/slices.js';
import type {DraftTrace} from '../../core/trace/trace-builder.js';
import type {Trace} from '../../core/trace/trace.js';
import {formatLimit, type UnpackedLimit} from '../../core/trace/unpacked-limit.js';

/** How far an import has come. `totalBytes` is the size of the file as stored, compressed or not. */
export interface ImportProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /**
   * Is told once what the rows go to, before the first progress; again where the file is read anew in another way. It may
   * be asked in `onProgress` alone.
   */
  readonly onBegin?: ((draft: () => DraftTrace) => void) | undefined;
  /** How much a compressed file may unpack to; without one it is unpacked to its end. */
  readonly unpackedLimit?: UnpackedLimit | undefined;
  /** What the import may hold in memory; what was read by then is the trace. Without one there is no limit. */
  readonly memoryLimit?: MemoryLimit | undefined;
}

/** What is known of a file before it is read: enough to choose an importer. */
export interface FileHead {
  readonly path: string;
  readonly bytes: number;
  readonly compression: 'none' | 'gzip' | 'zstd';
  /** The first bytes, decompressed: up to 64 KiB. */
  readonly head: Buffer;
}

/** Reads up to `limit` bytes from an offset of the decompressed file. */
export type ReadPart = (offset: number, limit: number) => Promise<Uint8Array>;

/** An event of which more is wanted than a trace keeps: what it is, its name, and where it stands in the file. */
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
 * A format of profiles: everything that GPU Lens knows of it. `formats.ts` lists them all, and whatever depends on the
 * format of a file asks there.
 */
export interface Importer {
  /** The format's short name, which is the `format` of its traces' `meta`. */
  readonly format: string;
  /** Other short names that `read` may give a trace. */
  readonly variants?: readonly string[];
  /** How a sentence names such a file, with its article: "a PyTorch profiler trace". */
  readonly title: string;
  /** What `gpu-lens --help` says of the format. */
  readonly help: string;
  /** Names of its files, such as `*.pt.trace.json`, each with the place where the editor offers GPU Lens. */
  readonly patterns: Readonly<Record<string, PatternUse>>;
  /** Whether the head belongs to this format. Detection is by content: a file's name may say anything. */
  readonly matches: (file: FileHead) => boolean;
  /** Whether a file that `matches` is a profile for certain, so that the editor may offer to open it. */
  readonly recognises: (file: FileHead) => boolean | Promise<boolean>;
  /**
   * Reads the file; null where it turns out to be of no known format.
   *
   * @throws TraceError `import/…` where no event can be read
   */
  readonly read: (file: FileHead, options: ImportOptions) => Promise<Trace | null>;
  /** What the file says of an event besides its name and times; null where it is there no more. */
  readonly readArguments: (file: FileHead, place: EventPlace, read: ReadPart) => Promise<SliceArgument[] | null>;
  /** What reports need besides the trace. What is not in the file is absent. @throws TraceError `import/cancelled` */
  readonly readDetails: (
    file: FileHead,
    trace: Trace,
    wanted: ReadonlySet<DetailKind>,
    options: ImportOptions,
  ) => Promise<ReportDetails>;
}

/** The error for a file of which not even the first rows fit into the limit. */
export function tooMuchMemory({path}: FileHead, limit: MemoryLimit | undefined): TraceError {
  const size = limit ? formatMegabytes(limit) : 'there is';
  const advice = limit ? `: ${limit.name} raises the limit` : '';
  return new TraceError(
    'import/too-large',
    `The first events of ${basename(path)} need more memory than ${size}${advice}.`,
  );
}

/** The error for a compressed file in whose first bytes, up to the limit, there is nothing to be shown. */
export function tooMuchUnpacked({path}: FileHead, limit: UnpackedLimit | undefined): TraceError {
  const [size, name] = limit ? [formatLimit(limit), limit.name] : ['', ''];
  return new TraceError(
    'import/too-large',
    `${basename(path)} unpacks to more than ${size}, and no slice stands in them: ${name} raises the limit.`,
  );
}

/** @throws TraceError `import/cancelled` once the signal says so */
export function throwIfCancelled(signal: AbortSignal | undefined, path: string): void {
  if (signal?.aborted) throw new TraceError('import/cancelled', `Opening ${basename(path)} was cancelled.`);
}
