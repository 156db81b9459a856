import {readFile} from 'node:fs/promises';
import {findOnPath} from '../programs/find-program.js';
import {askProgram} from './ask-program.js';
import {bad, good, type Check} from './check.js';

const smiProgram = process.platform === 'win32' ? 'nvidia-smi.exe' : 'nvidia-smi';
const driverParameters = '/proc/driver/nvidia/params';

/** The places to check; tests set others. */
export interface GpuPlaces {
  readonly searchPath?: string;
  readonly driverParameters?: string;
  readonly isRoot?: boolean;
}

/** Checks the GPU with its driver, and whether its counters may be read. */
export async function gpuChecks(places: GpuPlaces = {}, signal?: AbortSignal): Promise<Check[]> {
  const driver = await driverCheck(places, signal);
  return [driver, await counterCheck(places, driver.ok && process.platform !== 'darwin')];
}

async function driverCheck({searchPath}: GpuPlaces, signal?: AbortSignal): Promise<Check> {
  const check = 'GPU and driver';
  if (process.platform === 'darwin') return good(check, 'not needed: this is a Mac');
  const smi = await findOnPath(smiProgram, searchPath);
  if (smi === null) {
    return bad(check, 'nvidia-smi was not found', 'Where there is an NVIDIA GPU, install its driver.');
  }
  const query = ['--query-gpu=name,memory.total,driver_version', '--format=csv,noheader'];
  const remedy = 'The driver does not answer: install it again, or restart the machine.';
  const answer = await askProgram(smi, query, {signal});
  if ('failure' in answer) return bad(check, answer.failure, remedy);
  const {status, output} = answer;
  const lines = output.split('\n').filter(line => line.trim() !== '');
  if (status === 0 && lines.length > 0) return good(check, lines.map(gpuText).join('; '));
  const reason = lines[0]?.trim().slice(0, 200) ?? `nvidia-smi ended with status ${String(status)}`;
  return bad(check, reason, remedy);
}

/** Formats "NVIDIA A100, 40960 MiB, 535.54" for display. */
function gpuText(line: string): string {
  const [name = '', memory = '', driver = ''] = line.split(',').map(part => part.trim());
  return `${name} (${memory}), driver ${driver}`;
}

/**
 * Nsight Compute, and GPU metrics in Nsight Systems, need the GPU's counters; kernel timings do not.
 *
 * @see https://developer.nvidia.com/ERR_NVGPUCTRPERM
 */
async function counterCheck(places: GpuPlaces, hasDriver: boolean): Promise<Check> {
  const check = 'GPU counters';
  if (!hasDriver) return good(check, 'not looked at: there is no NVIDIA driver here that answers');
  if (process.platform !== 'linux') {
    return good(check, 'not known: NVIDIA Control Panel tells it, under Developer, Manage GPU Performance Counters');
  }
  const file = places.driverParameters ?? driverParameters;
  const text = await readFile(file, 'utf8').catch(() => '');
  const isRestricted = /^RmProfilingAdminOnly:\s*([01])/m.exec(text)?.[1];
  if (isRestricted === undefined) return good(check, `not known: ${file} does not tell`);
  if (isRestricted === '0') return good(check, 'everybody may read them');
  if (places.isRoot ?? process.getuid?.() === 0) return good(check, 'administrators may read them, and this is one');
  return bad(
    check,
    'only administrators may read them',
    'Kernels are timed without them; for GPU metrics load the driver with NVreg_RestrictProfilingToAdminUsers=0: https://developer.nvidia.com/ERR_NVGPUCTRPERM',
  );
}
