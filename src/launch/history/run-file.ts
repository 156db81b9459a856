import {randomUUID} from 'node:crypto';
import {rename, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {isCount, isFields, type JsonFields} from '../../core/base/read-json.js';
import {maskSecrets} from '../../core/format/mask-secrets.js';
import {readRegularFile} from '../programs/regular-file.js';

/** The record of a run, saved in its folder beside its profiles. */
export interface RunFile {
  /** Display name: the script's name. */
  readonly name: string;
  /** With secrets masked, in the file as well. */
  readonly command: readonly string[];
  readonly cwd: string;
  /** In ISO format. */
  readonly began: string;
  /** Null if the run has not ended, or was killed. */
  readonly ended: string | null;
  readonly status: number | null;
  /** The process of `gpu-lens profile` or `prove`; null if unknown. */
  readonly process: RunProcess | null;
  /** The commit of the working folder; null if it is in no repository. */
  readonly commit: string | null;
  /**
   * A digest of the uncommitted changes, unique to the run if git cannot tell them; null if there are none, or no
   * repository.
   */
  readonly dirty: string | null;
  /** An id shared by the runs of one command line; null for a single run. */
  readonly batch: string | null;
  /** The profiler, and which steps it recorded (`pytorch infer`); null in files of earlier versions, and of proofs. */
  readonly recorded?: string | null;
  readonly profiles: readonly RunFileProfile[];
}

/** A process and its machine. */
export interface RunProcess {
  readonly host: string;
  readonly pid: number;
}

interface RunFileProfile {
  /** The file's name in the run's folder. */
  readonly file: string;
  readonly kind: string;
  readonly steps: number;
  readonly rank: number | null;
}

export const runFileName = 'run.json';
/** A larger file is not ours. */
const longestBytes = 1 << 20;

/** Writes a run's record atomically, so that a reader never sees a part of it. */
export async function writeRunFile(folder: string, run: RunFile): Promise<void> {
  const path = join(folder, runFileName);
  const made = `${path}.${randomUUID()}`;
  await writeFile(made, `${JSON.stringify({version: 1, ...run, command: maskSecrets(run.command)}, null, 2)}\n`, {
    mode: 0o600,
  });
  await rename(made, path);
}

/** Returns the record of the run in a folder; null if there is no such file, or it has another form. */
export async function readRunFile(folder: string): Promise<RunFile | null> {
  return readRegularFile(join(folder, runFileName), async (file, bytes) =>
    bytes <= longestBytes ? parseRunFile(await file.readFile('utf8')) : null,
  );
}

function parseRunFile(text: string): RunFile | null {
  const json = JSON.parse(text) as unknown;
  if (!isFields(json)) return null;
  const {name, command, cwd, began, status, profiles} = json;
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (!isText(name) || !isText(cwd) || !isText(began) || Number.isNaN(Date.parse(began))) return null;
  if (!Array.isArray(command) || !command.every(isText)) return null;
  const textAt = (key: string) => (isText(json[key]) ? json[key] : null);
  return {
    // Files of earlier versions hold the command with its secrets.
    ...{name, command: maskSecrets(command), cwd, began},
    ended: textAt('ended'),
    status: Number.isInteger(status) ? (status as number) : null,
    process: processOf(json['process']),
    commit: textAt('commit'),
    dirty: textAt('dirty'),
    batch: textAt('batch'),
    recorded: textAt('recorded'),
    profiles: Array.isArray(profiles) ? profiles.filter(isFields).flatMap(profileOf) : [],
  };
}

function processOf(value: unknown): RunProcess | null {
  if (!isFields(value)) return null;
  const {host, pid} = value;
  return typeof host === 'string' && isCount(pid, 1) ? {host, pid} : null;
}

/** A path outside the folder is not one of its profiles. */
function profileOf({file, kind, steps, rank}: JsonFields): RunFileProfile[] {
  if (typeof file !== 'string' || file === '' || basename(file) !== file) return [];
  return [
    {
      file,
      kind: typeof kind === 'string' ? kind : '',
      steps: Number.isSafeInteger(steps) ? (steps as number) : 0,
      rank: Number.isSafeInteger(rank) ? (rank as number) : null,
    },
  ];
}
