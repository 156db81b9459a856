import {readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {isFields} from '../../core/base/read-json.js';
import {momentsOf} from '../../core/compare/moments.js';
import {sidecarPath} from '../../core/source/sidecar.js';
import {readRegularFile} from '../programs/regular-file.js';
import {readRunFile, type RunFile, type RunProcess} from './run-file.js';
import {readRunMark} from './run-mark.js';

/** One recorded run, as the list of runs shows it. Times are in ns. */
export interface RunFacts {
  /** The name of the run's folder. */
  readonly folder: string;
  readonly name: string;
  /** Null if the run was recorded before runs kept their command. */
  readonly command: readonly string[] | null;
  /** In ISO format. */
  readonly began: string;
  /** Null if the run has not ended, or was killed. */
  readonly ended: string | null;
  readonly status: number | null;
  readonly process: RunProcess | null;
  readonly commit: string | null;
  /** Whether there were uncommitted changes; null if unknown. */
  readonly isDirty: boolean | null;
  /** The GPU, or "cpu". */
  readonly device: string | null;
  readonly torch: string | null;
  readonly python: string | null;
  /** Recorded steps. */
  readonly steps: number;
  /** The median step without the profiler, else with it; null if none was timed. */
  readonly stepNs: number | null;
  /** The sample standard deviation of the steps that `stepNs` is the median of; null for fewer than two. */
  readonly stepSpreadNs: number | null;
  readonly label: string | null;
  readonly isPinned: boolean;
  /** Paths of its profiles, the one to open first at the front. */
  readonly profiles: readonly string[];
  /** Paths of one profile per rank, by rank; empty unless there are several. */
  readonly ranks: readonly string[];
  /** Total size of the files in the folder. */
  readonly bytes: number;
}

const profileEnd = /(\.trace\.json(\.gz|\.zst)?|\.nsys-rep|\.sqlite)$/;
const folderName = /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})-([^/\\]+)$/;
const longestSidecar = 16 << 20;

/** Returns the facts about a run, read from its folder; null if the folder is not a run's. */
export async function readRunFacts(runs: string, folder: string): Promise<RunFacts | null> {
  const path = join(runs, folder);
  const names = folderName.test(folder) ? await readdir(path).catch(() => null) : null;
  if (names === null) return null;
  const run = (await readRunFile(path)) ?? fromFolder(folder);
  const told = run.profiles.map(({file}) => file);
  const profiles = profilesIn(names, told).map(name => join(path, name));
  return {
    ...{folder, profiles, ranks: ranksIn(path, names, run), name: run.name},
    ...{began: run.began, ended: run.ended, status: run.status, process: run.process},
    command: run.command.length > 0 ? run.command : null,
    ...{commit: run.commit, isDirty: run.commit === null ? null : run.dirty !== null},
    ...recordingFacts(await sidecarOf(profiles), run.commit),
    ...readRunMark(path),
    bytes: await bytesOf(path, names),
  };
}

/** Returns what a folder's name shows of a run recorded before run files existed. */
function fromFolder(folder: string): RunFile {
  const began = folder.replace(folderName, '$1-$2-$3T$4:$5:$6Z');
  return {
    ...{name: folder.replace(folderName, '$7'), command: [], cwd: '', began, ended: began, status: null, process: null},
    ...{commit: null, dirty: null, batch: null, profiles: []},
  };
}

/** Returns the facts that the runner wrote beside a profile. */
function recordingFacts(
  sidecar: Readonly<Record<string, unknown>>,
  commit: string | null,
): Pick<RunFacts, 'commit' | 'device' | 'torch' | 'python' | 'steps' | 'stepNs' | 'stepSpreadNs'> {
  const textAt = (key: string) => (typeof sidecar[key] === 'string' ? sidecar[key] : null);
  const {steps} = sidecar;
  return {
    commit: commit ?? textAt('gitCommit'),
    ...{device: textAt('device'), torch: textAt('torch'), python: textAt('python')},
    steps: Number.isSafeInteger(steps) ? (steps as number) : 0,
    ...stepOf(sidecar['overhead']),
  };
}

/** Returns the first profile of each rank. */
function ranksIn(path: string, names: readonly string[], {profiles}: RunFile): string[] {
  const fileOf = new Map<number, string>();
  for (const {rank, file} of profiles) {
    if (rank !== null && !fileOf.has(rank) && names.includes(file)) fileOf.set(rank, file);
  }
  if (fileOf.size < 2) return [];
  return [...fileOf].sort(([a], [b]) => a - b).map(([, file]) => join(path, file));
}

/** Returns the profiles in the run's own order; those of a killed run are sorted by name. */
function profilesIn(names: readonly string[], told: readonly string[]): readonly string[] {
  const found = names.filter(name => profileEnd.test(name)).sort();
  const first = told.filter(name => found.includes(name));
  return [...first, ...found.filter(name => !first.includes(name))];
}

async function sidecarOf(profiles: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  for (const profile of profiles) {
    const found = await readJson(sidecarPath(profile), longestSidecar);
    if (found) return found;
  }
  return {};
}

function stepOf(overhead: unknown): Pick<RunFacts, 'stepNs' | 'stepSpreadNs'> {
  const told = isFields(overhead) ? overhead : {};
  const kind = (['plain', 'profiled'] as const).find(one => isTime(told[`${one}StepNs`]));
  if (kind === undefined) return {stepNs: null, stepSpreadNs: null};
  const steps = told[`${kind}Ns`];
  const times = Array.isArray(steps) ? steps.filter(isTime) : [];
  return {
    stepNs: told[`${kind}StepNs`] as number,
    stepSpreadNs: times.length < 2 ? null : Math.sqrt(momentsOf(times).variance),
  };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function readJson(path: string, most: number): Promise<Readonly<Record<string, unknown>> | null> {
  return readRegularFile(path, async (_, bytes) => {
    const json: unknown = bytes <= most ? JSON.parse(await readFile(path, 'utf8')) : null;
    return isFields(json) ? json : null;
  });
}

async function bytesOf(path: string, names: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    names.map(name =>
      stat(join(path, name)).then(
        stats => (stats.isFile() ? stats.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
