import {TraceError} from '../../core/base/errors.js';
import {canRead} from '../../core/trace/nsys-report.js';
import {findNsys} from '../programs/find-nsys.js';
import type {ProfileSurroundings} from '../run/profile-surroundings.js';
import {runTool} from './run-tool.js';

/** The first version that writes `.nsys-rep` reports and exports the tables that the importer reads. */
export const oldestVersion = '2021.4';
const home = 'https://developer.nvidia.com/nsight-systems';

/** An nsys that can record. */
export interface RecordingNsys {
  readonly path: string;
  /** The output of `nsys profile --help`. */
  readonly help: string;
}

/**
 * Returns the nsys to record with, and its help.
 *
 * @throws TraceError `launch/no-nsys`, `launch/nsys-too-old`, `launch/nsys-failed`, `import/cancelled`
 */
export async function recordingNsys({nsys, nsysLimitMs, signal}: ProfileSurroundings): Promise<RecordingNsys> {
  const path = await findNsys(nsys);
  if (path === null) {
    throw new TraceError(
      'launch/no-nsys',
      `nsys was not found: install Nsight Systems (${home}), or name it in gpuLens.nsys or GPU_LENS_NSYS.`,
    );
  }
  const ask = async (args: readonly string[]): Promise<string> => {
    let answer = '';
    await runTool(path, args, {signal, limitMs: nsysLimitMs, onOutput: text => (answer += text)});
    return answer;
  };
  const version = /version (\d+\.\d+(?:\.\d+)?)/.exec(await ask(['--version']))?.[1] ?? '';
  if (!canRead(version, oldestVersion)) {
    throw new TraceError(
      'launch/nsys-too-old',
      `${path} is Nsight Systems ${version}, which is too old to record for GPU Lens: install ${oldestVersion} or later (${home}), or name another one in gpuLens.nsys or GPU_LENS_NSYS.`,
    );
  }
  return {path, help: await ask(['profile', '--help'])};
}
