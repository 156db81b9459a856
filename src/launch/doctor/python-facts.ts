import {delimiter} from 'node:path';
import {isFields, parseJsonLine} from '../../core/base/read-json.js';
import {askProgram} from './ask-program.js';

/** What an interpreter reports about itself and its torch; `gpulens_runner/doctor.py` writes it. */
export interface PythonFacts {
  readonly python: string;
  readonly executable: string;
  /** Null if torch cannot be imported; `torchError` says why. */
  readonly torch: TorchFacts | null;
  readonly torchError: string | null;
}

export interface TorchFacts {
  readonly version: string;
  /** The CUDA version it was built for, null for a build without CUDA. */
  readonly cudaVersion: string | null;
  readonly hipVersion: string | null;
  /** Names of the GPUs that it can use. */
  readonly devices: readonly string[];
  readonly cudaError: string | null;
  readonly hasMps: boolean;
  /** Whether its profiler was built to record GPU work. */
  readonly recordsCuda: boolean;
  /** CUPTI's API version, null if no library was found. */
  readonly cuptiVersion: number | null;
}

const factsVersion = 1;

/** How long to wait for an interpreter’s answer: importing torch may take a minute from a cold share. */
const pythonLimitMs = 120_000;

/**
 * Asks an interpreter. Returns its facts, or its last line of output if it reported none.
 *
 * @param runner the folder of the runner's package. Python runs there, so that no workspace file is imported in place
 * of a module
 */
export async function askPython(
  python: string,
  runner: string,
  signal?: AbortSignal,
): Promise<PythonFacts | {readonly failure: string}> {
  const inherited = process.env['PYTHONPATH'];
  // As in a run: the user may have put torch's folder on this path.
  const path = inherited ? `${runner}${delimiter}${inherited}` : runner;
  const environment = {...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1'};
  const options = {cwd: runner, env: environment, limitMs: pythonLimitMs, signal};
  const answer = await askProgram(python, ['-m', 'gpulens_runner.doctor'], options);
  if ('failure' in answer) return answer;
  const {status, output} = answer;
  const lines = output.split('\n').filter(line => line.trim() !== '');
  const facts = lines.map(parsePythonFacts).findLast(parsed => parsed !== null);
  return facts ?? {failure: lines.at(-1)?.trim().slice(0, 300) ?? `it ended with status ${String(status)}`};
}

/** Returns the facts in one line, null for any other text. */
export function parsePythonFacts(line: string): PythonFacts | null {
  const fields = parseJsonLine(line);
  if (fields?.['v'] !== factsVersion) return null;
  const {python, executable, torch, torchError} = fields;
  if (typeof python !== 'string' || typeof executable !== 'string') return null;
  return {python, executable, torch: parseTorch(torch), torchError: textOf(torchError)};
}

function parseTorch(value: unknown): TorchFacts | null {
  if (!isFields(value) || typeof value['version'] !== 'string') return null;
  const devices = value['devices'];
  return {
    version: value['version'],
    cudaVersion: textOf(value['cudaVersion']),
    hipVersion: textOf(value['hipVersion']),
    devices: Array.isArray(devices) ? devices.filter(name => typeof name === 'string') : [],
    cudaError: textOf(value['cudaError']),
    hasMps: value['hasMps'] === true,
    recordsCuda: value['recordsCuda'] === true,
    cuptiVersion: typeof value['cuptiVersion'] === 'number' ? value['cuptiVersion'] : null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
