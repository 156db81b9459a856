import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {runProfile} from '../../src/launch/profile-run.js';
import {project} from './project.js';
import {hangingAgent, writeReplayingNsys, type ReplayFaults} from './replaying-nsys.js';

/** Time enough for stand-ins that have to wait for their turn, or for the disk, on a busy machine. */
export const limitMs = 8000;
export const limit = `${String(limitMs / 1000)} s`;
let runs = 0;

/** The outcome of a run under a stand-in. */
export interface Hung {
  readonly result: Awaited<ReturnType<typeof runProfile>> | null;
  readonly error: unknown;
  /** The folder of its temporary files. */
  readonly temporary: string;
  /** Command lines of processes that still run. */
  readonly left: string[];
}

/**
 * Profiles a shell's line under a stand-in that hangs at some point; processes that it leaves running are found by its
 * folder.
 */
export async function hang(
  folder: string,
  faults: ReplayFaults,
  {
    line = 'true',
    signal = new AbortController().signal,
    nsysLimitMs = limitMs,
    onHang,
  }: {line?: string; signal?: AbortSignal; nsysLimitMs?: number; onHang?: () => void} = {},
): Promise<Hung> {
  const recorded = join(folder, 'recorded.sqlite');
  writeFileSync(recorded, 'an export');
  const home = join(folder, `stand-in ${String(++runs)} ä`);
  const temporary = join(home, 'temporary');
  mkdirSync(temporary, {recursive: true});
  const request = {
    ...({profiler: 'nsys', name: 'my bench', command: ['sh', '-c', line], cwd: folder} as const),
    ...{env: {...process.env, TMPDIR: temporary}, root: folder, output: join(home, 'runs'), recording: {}},
    ...{timesSteps: false, capture: 'run', nsysOptions: [], timedRuns: 0, launchTemplate: null},
  };
  const surroundings = {
    ...({runner: join(project, 'src', 'runner'), python: null, stdout: 'stderr', nsysLimitMs} as const),
    nsys: {setting: writeReplayingNsys(home, recorded, faults)},
    ...{signal, abandon: new AbortController().signal, onProgress: () => undefined, onNoStep: () => undefined},
  };
  const hangs = () => processesIn(home).some(line => line.includes(`${hangingAgent} `));
  const watch = setInterval(() => {
    if (!onHang || !hangs()) return;
    clearInterval(watch);
    onHang();
  }, 50);
  const ending = await runProfile(request, surroundings, () => undefined).then(
    result => ({result, error: null}),
    (error: unknown) => ({result: null, error}),
  );
  clearInterval(watch);
  return {...ending, temporary, left: processesIn(home)};
}

/** Returns the command lines of processes that name a folder. */
export function processesIn(home: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter(line => line.includes(home));
}

/** The message about an nsys that hangs after its target has ended. */
export const sentence = `nsys hung: with nothing of my bench running any more it neither wrote nor ended for ${limit}, and was ended; try again, or set gpuLens.nsysLimitSeconds (GPU_LENS_NSYS_LIMIT) higher if it needs longer.`;
