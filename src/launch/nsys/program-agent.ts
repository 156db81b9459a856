import {delimiter, join} from 'node:path';
import {sidecarPath} from '../../core/source/sidecar.js';
import type {ProfileSurroundings} from '../run/profile-surroundings.js';
import type {ProfileRequest} from '../command/profile-request.js';
import type {RunFolder} from '../run/run-folder.js';
import type {CaptureWay} from './capture.js';

/**
 * Returns the environment that activates the runner in Python processes, where it mirrors `record_function` and module
 * calls into NVTX. If steps are to be captured or timed, it also finds them and reports them in the run's folder.
 *
 * @param base path of the report without its extension; facts about modules are written beside its export
 */
export function agentEnvironment(
  {env, root, recording, timesSteps, capture}: ProfileRequest,
  folder: RunFolder,
  {runner}: ProfileSurroundings,
  way: CaptureWay,
  base: string,
): NodeJS.ProcessEnv {
  const path = [join(runner, 'boot'), env['PYTHONPATH']].filter(entry => entry !== undefined && entry !== '');
  const sidecar = sidecarPath(`${base}.sqlite`);
  const mirrored = {...env, PYTHONPATH: path.join(delimiter), GPULENS_NVTX: root, GPULENS_NVTX_SIDECAR: sidecar};
  if (capture !== 'steps' && !timesSteps) return mirrored;
  // Read by gpulens_runner/config.py, which has the defaults.
  const config = {
    ...{out: folder.path, events: folder.eventsFile, root},
    ...{warmup: recording.warmup, prewarm: recording.prewarm, active: recording.active, step: recording.step},
    ...{profiler: 'nsys', times: timesSteps, capture: capture === 'steps' ? way : null},
    ...{stops: recording.stop, sites: false, modules: false},
  };
  return {...mirrored, GPULENS_CONFIG: JSON.stringify(config)};
}
