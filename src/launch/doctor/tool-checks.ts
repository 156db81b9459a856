import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {describeError} from '../../core/base/errors.js';
import {canRead} from '../../core/trace/nsys-report.js';
import {findNsys, type NsysHints} from '../programs/find-nsys.js';
import {findOnPath, isProgram} from '../programs/find-program.js';
import {oldestVersion} from '../nsys/recording-nsys.js';
import {askProgram} from './ask-program.js';
import {bad, good, type Check} from './check.js';

const ncuProgram = process.platform === 'win32' ? 'ncu.exe' : 'ncu';
const home = 'https://developer.nvidia.com/nsight-systems';
const ncuFolders = ['/opt/nvidia/nsight-compute', '/usr/local'];

/** Nsight Systems, which reads and makes .nsys-rep reports, and Nsight Compute. */
export async function toolChecks(nsys: NsysHints, signal?: AbortSignal): Promise<Check[]> {
  return [await nsysCheck(nsys, signal), await ncuCheck(nsys.searchPath, signal)];
}

async function nsysCheck(hints: NsysHints, signal?: AbortSignal): Promise<Check> {
  const check = 'Nsight Systems';
  const remedy = `For profiles by nsys, install it (${home}) or set gpuLens.nsys.`;
  try {
    const path = await findNsys(hints);
    if (path === null) return bad(check, 'nsys was not found', remedy);
    const found = await versionOf(path, /version (\d+\.\d+\.\d+)/, signal);
    if ('failure' in found || canRead(found.version, oldestVersion)) return versionCheck(check, path, found, remedy);
    const newer = `It is too old to record: install ${oldestVersion} or later (${home}), or set gpuLens.nsys.`;
    return bad(check, `${found.version} at ${path}`, newer);
  } catch (error) {
    if (signal?.aborted) throw error;
    return bad(check, describeError(error, 'launch/no-nsys').message, remedy);
  }
}

async function ncuCheck(searchPath: string | undefined, signal?: AbortSignal): Promise<Check> {
  const check = 'Nsight Compute';
  const path = (await findOnPath(ncuProgram, searchPath)) ?? (await installedNcu());
  const remedy =
    'GPU Lens works without; for the counters of one kernel install it: https://developer.nvidia.com/nsight-compute';
  if (path === null) return bad(check, 'ncu was not found', remedy);
  return versionCheck(check, path, await versionOf(path, /Version (\d+\.\d+\.\d+)/i, signal), remedy);
}

function versionCheck(check: string, path: string, found: Version, remedy: string): Check {
  return 'failure' in found ? bad(check, found.failure, remedy) : good(check, `${found.version} at ${path}`);
}

async function installedNcu(): Promise<string | null> {
  for (const folder of ncuFolders) {
    const names = (await readdir(folder).catch(() => [])).filter(name => /^(cuda|\d{4}\.)/.test(name));
    names.sort((a, b) => b.localeCompare(a, 'en', {numeric: true}));
    for (const name of names) {
      for (const path of [join(folder, name, ncuProgram), join(folder, name, 'bin', ncuProgram)]) {
        if (await isProgram(path)) return path;
      }
    }
  }
  return null;
}

type Version = {readonly version: string} | {readonly failure: string};

async function versionOf(path: string, pattern: RegExp, signal?: AbortSignal): Promise<Version> {
  const answer = await askProgram(path, ['--version'], {signal});
  if ('failure' in answer) return answer;
  const version = pattern.exec(answer.output)?.[1];
  return version === undefined ? {failure: `${path} does not tell its version`} : {version};
}
