import {say} from '../base/say.js';
import {counted} from '../format/count.js';
import {isCount, isFields} from '../base/read-json.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {TraceNote} from '../trace/trace.js';
import {moduleOfRange} from './module-forward.js';

/** A line on which the runner saw a range opened. */
export interface TagSite {
  readonly name: string;
  /** Path as the runner wrote it: relative to the workspace if the file is inside, else absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Last line of the block for which the range was opened, if the runner knows it. */
  readonly endLine?: number;
  readonly count: number;
}

/** A module whose calls the runner recorded as ranges `nn.Module: <name>`. */
export interface ModuleSite {
  /** Its path in the tree of modules that was called: `Net.layers.0`. */
  readonly name: string;
  /** With its Python module: `model.Block`. */
  readonly class: string;
  /** Path as in sites, and the first line of its `forward`; absent if that is not the user's own code. */
  readonly file?: string;
  readonly line?: number;
}

/** A source line of a torch.compile kernel, according to Inductor; a fused kernel has several. */
export interface KernelSite {
  /** The name of the kernel and of its operator. */
  readonly name: string;
  /** Path as in sites. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A line whose call torch.compile compiled. */
export interface CompiledCall {
  /** The name of the region's range: "Torch-Compiled Region: 0/0". */
  readonly name: string;
  /** Path as in sites. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A line of the user's own code without a tag for which the runner opened ranges. */
interface AutomaticLine {
  /** The name of its ranges, which are operators in the trace: `train.py:12`. */
  readonly name: string;
  /** A line with a call, the first line of a function, or the line of the loop that contains the steps. */
  readonly kind: 'line' | 'function' | 'loop';
  /** Path as in sites. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A file that opened ranges, as it was during the run. */
export interface RecordedFile {
  /** Path as in sites. */
  readonly file: string;
  /** Git's object name for this content; null if the runner did not record it. */
  readonly gitBlob: string | null;
  /** Line (from 0) → CRC-32 of its UTF-8 bytes without the line end; null if the runner did not record it. */
  readonly lineCrc32: readonly number[] | null;
}

/**
 * The file that the runner writes next to a trace: where its ranges were opened, and which part of the script was
 * recorded.
 */
export interface Sidecar {
  readonly sites: readonly TagSite[];
  /** Empty in sidecars of earlier runners. */
  readonly modules: readonly ModuleSite[];
  /** Empty if nothing was compiled while the runner listened. */
  readonly kernels: readonly KernelSite[];
  /** Empty in sidecars of earlier runners. */
  readonly compiledCalls: readonly CompiledCall[];
  /** Lines without tags; empty in sidecars of earlier runners, and if automatic ranges were off. */
  readonly lines: readonly AutomaticLine[];
  /** The files with sites or such calls; empty in sidecars of earlier runners. */
  readonly files: readonly RecordedFile[];
  /**
   * "steps": optimizer steps after a warm-up; "opening": the script from its first range or module call; "capture": the
   * capture of GPU graphs.
   */
  readonly kind: string;
  /** Why recording ended: "complete", or how the process ended early. */
  readonly why: string;
  /** The number of completely recorded steps. */
  readonly steps: number;
  /** When recording began, in ISO format; null if the runner did not record it. */
  readonly recordedAt: string | null;
  /** The commit of the workspace, which may have been edited since. */
  readonly gitCommit: string | null;
  /**
   * The program's file, path as in sites: for a module its own file, or its package's `__main__.py`. Null if unknown.
   */
  readonly script: string | null;
  /** The file beside it in which its GPU graphs were captured; null if none was captured, or it was not recorded. */
  readonly capture: string | null;
  readonly torch: string | null;
  readonly python: string | null;
  /** The number of entries omitted because the lists were too long to be the runner's. */
  readonly omitted: number;
}

/**
 * No program opens ranges in more places. A longer list, which may come from a stranger, would slow down the editor.
 */
const mostSites = 20_000;
const mostModules = 20_000;
const mostFiles = 2000;

/**
 * Returns the sidecar's path for the path of a trace, or of the memory snapshot of its run: `run.meta.json` next to
 * `run.pt.trace.json.gz` and `run.memory.pickle`.
 */
export function sidecarPath(tracePath: string): string {
  return `${tracePath.replace(/((\.pt)?(\.trace)?\.json(\.gz|\.zst)?|\.memory\.pickle)$/i, '')}.meta.json`;
}

/** Parses a sidecar. Omits entries that have the wrong form or are too many. Null if the text is not a sidecar. */
export function parseSidecar(text: string): Sidecar | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const fields = isFields(json) ? json : {};
  const {steps, recordedAt} = fields;
  if (!Array.isArray(fields['sites'])) return null;
  let omitted = 0;
  const listAt = (key: string, most: number): readonly unknown[] => {
    const list: unknown = fields[key];
    if (!Array.isArray(list)) return [];
    omitted += Math.max(0, list.length - most);
    return list.slice(0, most);
  };
  const textAt = (key: string) => (typeof fields[key] === 'string' ? fields[key] : null);
  return {
    sites: listAt('sites', mostSites).filter(isTagSite),
    modules: listAt('modules', mostModules).filter(isModuleSite).map(asPlace),
    kernels: listAt('compiledKernels', mostSites).filter(isKernelSite),
    compiledCalls: listAt('compiledCalls', mostSites).filter(isKernelSite),
    lines: listAt('lines', mostSites).filter(isAutomaticLine),
    files: listAt('files', mostFiles).flatMap(recordedFile),
    kind: textAt('kind') ?? '',
    why: textAt('why') ?? '',
    steps: Number.isSafeInteger(steps) ? (steps as number) : 0,
    recordedAt: typeof recordedAt === 'string' && !Number.isNaN(Date.parse(recordedAt)) ? recordedAt : null,
    gitCommit: textAt('gitCommit'),
    script: textAt('script'),
    capture: textAt('capture'),
    torch: textAt('torch'),
    python: textAt('python'),
    omitted,
  };
}

/** Returns notes for the reader of the profile: how it was recorded, and what was not read. */
export function sidecarNotes({
  omitted,
  ...recording
}: Pick<Sidecar, 'kind' | 'why' | 'steps' | 'omitted'>): TraceNote[] {
  const text = counted(
    omitted,
    '{0} entry of the sidecar file was not read because there are too many. Lines that only this entry names have no figures.',
    '{0} entries of the sidecar file were not read because there are too many. Lines that only these entries name have no figures.',
  );
  return [...recordingNotes(recording), ...(omitted > 0 ? [{code: 'run/sites-left-out', text}] : [])];
}

function recordingNotes({kind, why, steps}: Pick<Sidecar, 'kind' | 'why' | 'steps'>): TraceNote[] {
  if (kind === 'opening') {
    const text = say(
      'GPU Lens recorded the beginning of the script, from its first range or module call. The script ran too few optimizer steps to record steps after a warm-up.',
    );
    return [{code: 'run/opening', text}];
  }
  if (kind === 'capture') {
    const text = say(
      'GPU Lens recorded the capture of GPU graphs. Captured kernels do not run. The profile of the steps that replay the graphs takes their operators, modules and lines from this capture.',
    );
    return [{code: 'run/capture', text}];
  }
  if (kind !== 'steps' || why === 'complete') return [];
  return [
    {
      code: 'run/partial',
      text: counted(
        steps,
        'The script ended while GPU Lens was recording. The profile has {0} complete step.',
        'The script ended while GPU Lens was recording. The profile has {0} complete steps.',
      ),
    },
  ];
}

/** An unchecked value in place of an entry. */
type Members<T> = Partial<Record<keyof T, unknown>>;

/** Returns an entry of `files` in a list; an empty list if it has another form. */
function recordedFile(value: unknown): RecordedFile[] {
  const {file, gitBlob, lineCrc32}: Members<RecordedFile> = isFields(value) ? value : {};
  if (typeof file !== 'string') return [];
  const isCrc = (crc: unknown) => Number.isInteger(crc) && (crc as number) >= 0 && (crc as number) <= 0xffffffff;
  const checksums = Array.isArray(lineCrc32) && lineCrc32.every(isCrc) ? (lineCrc32 as number[]) : null;
  return [{file, gitBlob: typeof gitBlob === 'string' ? gitBlob : null, lineCrc32: checksums}];
}

function isModuleSite(value: unknown): value is ModuleSite {
  const site: Members<ModuleSite> = isFields(value) ? value : {};
  return (
    typeof site.name === 'string' &&
    typeof site.class === 'string' &&
    (site.file === undefined || typeof site.file === 'string') &&
    (site.line === undefined || Number.isSafeInteger(site.line))
  );
}

/**
 * Normalises a module's name. The runner writes the name of the module's range; earlier runners wrote only its place.
 */
function asPlace(site: ModuleSite): ModuleSite {
  return {...site, name: moduleOfRange(site.name) ?? site.name};
}

/** Returns, for each kernel, its lines as `train.py:9`, in the order of compilation. */
export function kernelLines({kernels}: Pick<Sidecar, 'kernels'>): Map<string, string[]> {
  const lines = new Map<string, string[]>();
  for (const {name, file, line} of kernels) getOrAdd(lines, name, () => []).push(`${file}:${String(line)}`);
  return lines;
}

function isKernelSite(value: unknown): value is KernelSite {
  if (!isFields(value)) return false;
  return typeof value['name'] === 'string' && typeof value['file'] === 'string' && isCount(value['line'], 1);
}

function isAutomaticLine(value: unknown): value is AutomaticLine {
  const kinds: readonly unknown[] = ['line', 'function', 'loop'];
  return isKernelSite(value) && kinds.includes((value as Members<AutomaticLine>).kind);
}

function isTagSite(value: unknown): value is TagSite {
  const site: Members<TagSite> = isFields(value) ? value : {};
  return (
    typeof site.name === 'string' &&
    typeof site.file === 'string' &&
    Number.isSafeInteger(site.line) &&
    (site.endLine === undefined || Number.isSafeInteger(site.endLine)) &&
    Number.isSafeInteger(site.count)
  );
}
