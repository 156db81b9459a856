import {formatCount, plural} from '../format/count.js';
import {isCount, isFields} from '../base/read-json.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {TraceNote} from '../trace/trace.js';
import {moduleOfRange} from './module-forward.js';

/** A line that the runner saw open a range. */
export interface TagSite {
  readonly name: string;
  /** Path as the runner wrote it: relative to the workspace where it lies inside, else absolute. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Last line of the block that the range was opened for, where the runner knows it. */
  readonly endLine?: number;
  readonly count: number;
}

/** A module whose calls the runner recorded as ranges `nn.Module: <name>`. */
export interface ModuleSite {
  /** Its path in the tree that was called: `Net.layers.0`. */
  readonly name: string;
  /** With its Python module: `model.Block`. */
  readonly class: string;
  /** Path as in sites, and the first line of its `forward`; absent where that is not the user's own. */
  readonly file?: string;
  readonly line?: number;
}

/** A line that a kernel of torch.compile comes from, as Inductor knew it; a fused kernel has several. */
export interface KernelSite {
  /** The kernel's, which its operator has, too. */
  readonly name: string;
  /** Path as in sites. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A line that called what torch.compile made, where it was compiled for the call. */
export interface CompiledCall {
  /** The region's, as its range is called: "Torch-Compiled Region: 0/0". */
  readonly name: string;
  /** Path as in sites. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A line of the user's own code without a tag, for which the runner opened ranges. */
interface AutomaticLine {
  /** What its ranges are called, which are operators in the trace: `train.py:12`. */
  readonly name: string;
  /** A line that calls, the first line of a function, or the line of the loop that holds the steps. */
  readonly kind: 'line' | 'function' | 'loop';
  /** Path as in sites. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A file that opened ranges, as it was when it ran. */
export interface RecordedFile {
  /** Path as in sites. */
  readonly file: string;
  /** What git calls a file of this content; null where the runner does not say. */
  readonly gitBlob: string | null;
  /** Line (from 0) → CRC-32 of its UTF-8 bytes without its end; null where the runner does not say. */
  readonly lineCrc32: readonly number[] | null;
}

/** What the runner writes beside a trace: where its ranges were opened, and what of the script was recorded. */
export interface Sidecar {
  readonly sites: readonly TagSite[];
  /** Empty in sidecars of earlier runners. */
  readonly modules: readonly ModuleSite[];
  /** Empty where nothing was compiled while the runner listened. */
  readonly kernels: readonly KernelSite[];
  /** Empty in sidecars of earlier runners. */
  readonly compiledCalls: readonly CompiledCall[];
  /** Lines without tags; empty in sidecars of earlier runners, and where automatic ranges were off. */
  readonly lines: readonly AutomaticLine[];
  /** What is known of the files that have sites or such calls; empty in sidecars of earlier runners. */
  readonly files: readonly RecordedFile[];
  /** "steps": optimizer steps after a warm-up; "opening": the script from its first range or module call on. */
  readonly kind: string;
  /** Why recording ended: "complete", or how the process ended before. */
  readonly why: string;
  /** Steps recorded whole. */
  readonly steps: number;
  /** When recording began, in the ISO format; null where the runner does not say. */
  readonly recordedAt: string | null;
  /** The commit that the workspace was at; it may have been edited since. */
  readonly gitCommit: string | null;
  /** The program's file, path as in sites: for a module its own, or its package's `__main__.py`. Null where none is known. */
  readonly script: string | null;
  readonly torch: string | null;
  readonly python: string | null;
  /** Entries of lists that are too long to be the runner's: they are left out. */
  readonly omitted: number;
}

/** No program opens ranges in more places; a longer list, which may come from a stranger, would keep the editor busy. */
const mostSites = 20_000;
const mostModules = 20_000;
const mostFiles = 2000;

/** The sidecar's path for a trace's path: `run.pt.trace.json.gz` has `run.meta.json` beside it. */
export function sidecarPath(tracePath: string): string {
  return `${tracePath.replace(/(\.pt)?(\.trace)?\.json(\.gz|\.zst)?$/i, '')}.meta.json`;
}

/** The sidecar in a JSON text; entries that are not of its form, or too many, are left out. Null where it is no sidecar at all. */
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
    torch: textAt('torch'),
    python: textAt('python'),
    omitted,
  };
}

/** What a reader of the profile must know of how it was recorded, and of what is not read. */
export function sidecarNotes({
  omitted,
  ...recording
}: Pick<Sidecar, 'kind' | 'why' | 'steps' | 'omitted'>): TraceNote[] {
  const text = `The file of sites beside the profile has ${formatCount(omitted)} entries more than are read: lines that only they name have no figures.`;
  return [...recordingNotes(recording), ...(omitted > 0 ? [{code: 'run/sites-left-out', text}] : [])];
}

function recordingNotes({kind, why, steps}: Pick<Sidecar, 'kind' | 'why' | 'steps'>): TraceNote[] {
  if (kind === 'opening') {
    const text =
      'Recorded: the opening of the script, from its first range or module call on. It took too few optimizer steps to record steps after a warm-up.';
    return [{code: 'run/opening', text}];
  }
  if (kind !== 'steps' || why === 'complete') return [];
  return [
    {
      code: 'run/partial',
      text: `The script ended while steps were being recorded: ${plural(steps, 'whole step')} of them.`,
    },
  ];
}

/** What may stand where an entry of this form should. */
type Members<T> = Partial<Record<keyof T, unknown>>;

/** An entry of `files` in a list, an empty one where it is of another form. */
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

/** The runner writes what the module's range is called, earlier ones its place alone. */
function asPlace(site: ModuleSite): ModuleSite {
  return {...site, name: moduleOfRange(site.name) ?? site.name};
}

/** Name of a kernel → its lines, as `train.py:9`, in the order of compilation. */
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
