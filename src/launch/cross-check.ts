import {watchers, type WatchedRun, type Watcher} from '../core/benchmark/cross-check-rows.js';
import {describeError} from '../core/base/errors.js';
import type {ProfileSurroundings} from './run/profile-surroundings.js';
import type {ProfileRequest} from './command/profile-request.js';
import type {ProfileResult} from './run/profile-result.js';
import {runProfile} from './profile-run.js';

/** Display names of the watchers. */
export const watcherNames: Readonly<Record<Watcher, string>> = {
  timer: 'plain timer',
  pytorch: 'PyTorch profiler',
  nsys: 'Nsight Systems',
};

/**
 * Runs the same command three times in sequence: with only a clock, under the PyTorch profiler, and under nsys. Each
 * run times the same steps in the same way. If one cannot be measured, its result has the reason, and the others
 * continue.
 *
 * @param gpuWorkNs returns the GPU work in a profile; null if it has none
 * @returns the runs made: fewer if the signal ended them
 */
export async function crossCheck(
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
  gpuWorkNs: (profile: string) => Promise<number | null>,
): Promise<WatchedRun[]> {
  const runs: WatchedRun[] = [];
  for (const [at, watcher] of watchers.entries()) {
    if (surroundings.signal.aborted) break;
    const title = `${watcherNames[watcher]} (${String(at + 1)}/${String(watchers.length)})`;
    const onProgress = (text: string) => {
      surroundings.onProgress(`${title}: ${text}`);
    };
    onProgress('starting');
    runs.push(await watchedRun(watcher, request, {...surroundings, onProgress}, gpuWorkNs));
  }
  return runs;
}

async function watchedRun(
  watcher: Watcher,
  request: ProfileRequest,
  surroundings: ProfileSurroundings,
  gpuWorkNs: (profile: string) => Promise<number | null>,
): Promise<WatchedRun> {
  const none = {watcher, stepNs: [], eventNs: null, gpuWorkNs: null, profile: null, reason: null};
  try {
    const watched = {...request, profiler: watcher, timedRuns: 0, timesSteps: true};
    const result = await runProfile(watched, surroundings, () => undefined);
    return {...none, ...(await told(request.name, result, gpuWorkNs))};
  } catch (error) {
    return {...none, reason: describeError(error, 'launch/failed').message};
  }
}

/** Returns what a run measured, with its messages: it may have failed after its steps, or taken fewer. */
async function told(
  name: string,
  {stepTimes, sentences, profiles: [profile]}: ProfileResult,
  gpuWorkNs: (profile: string) => Promise<number | null>,
): Promise<Partial<WatchedRun>> {
  const path = profile?.path ?? null;
  const reason = sentences.length > 0 ? sentences.join(' ') : null;
  if (!stepTimes) return {profile: path, reason: reason ?? `${name} took no step that was found.`};
  const {stepNs, eventNs} = stepTimes;
  const workNs = profile && profile.steps > 0 ? await gpuWorkNs(profile.path).catch(() => null) : null;
  const stepWorkNs = workNs === null || profile === undefined ? null : workNs / profile.steps;
  return {stepNs, eventNs, gpuWorkNs: stepWorkNs, profile: path, reason};
}
