import {bad, good, type Check} from './check.js';
import type {PythonFacts, TorchFacts} from './python-facts.js';

const oldestPython = [3, 9] as const;
const oldestTorch = [2, 2] as const;
const cpuOnly = 'Without a GPU everything works, with CPU times';

/** Returns the checks of an interpreter that answered, and of its torch. */
export function pythonChecks(facts: PythonFacts, chosenBy: string, isMac: boolean): Check[] {
  const {python, executable, torch} = facts;
  const found = `${python} at ${executable}, chosen by ${chosenBy}`;
  const interpreter = isAtLeast(python, oldestPython)
    ? good('Python', found)
    : bad('Python', found, `Select a Python ${oldestPython.join('.')} or later.`);
  if (torch === null) {
    const reason = facts.torchError ?? 'it is not installed';
    const install = `${quoted(executable)} -m pip install torch`;
    return [interpreter, bad('PyTorch', `not importable: ${reason}`, `Install it: ${install}`)];
  }
  return [interpreter, torchCheck(torch), cudaCheck(torch, isMac), mpsCheck(torch, isMac), cuptiCheck(torch, isMac)];
}

function torchCheck({version}: TorchFacts): Check {
  return isAtLeast(version, oldestTorch)
    ? good('PyTorch', version)
    : bad('PyTorch', version, `PyTorch ${oldestTorch.join('.')} or later is supported: upgrade it.`);
}

function cudaCheck({cudaVersion, hipVersion, devices, cudaError}: TorchFacts, isMac: boolean): Check {
  const check = 'CUDA in PyTorch';
  if (isMac) return good(check, 'not needed: this is a Mac');
  const built = cudaVersion !== null ? `CUDA ${cudaVersion}` : hipVersion !== null ? `ROCm ${hipVersion}` : null;
  if (built === null) {
    const remedy = `${cpuOnly}; for a GPU, install a build with CUDA: https://pytorch.org/get-started/locally/`;
    return bad(check, 'this PyTorch was built without CUDA', remedy);
  }
  if (devices.length > 0) return good(check, `${built}, ${devices.join(', ')}`);
  const reason = cudaError ?? 'it sees no GPU';
  return bad(check, `built for ${built}, but ${reason}`, `${cpuOnly}; see the driver’s check below.`);
}

function mpsCheck({hasMps}: TorchFacts, isMac: boolean): Check {
  if (!isMac) return good('MPS in PyTorch', 'not needed: this is no Mac');
  if (hasMps) return good('MPS in PyTorch', 'available');
  return bad('MPS in PyTorch', 'not available', 'MPS needs a Mac with Apple silicon and a PyTorch built for arm64.');
}

function cuptiCheck({cudaVersion, hipVersion, recordsCuda, cuptiVersion}: TorchFacts, isMac: boolean): Check {
  if (isMac) return good('CUPTI', 'not needed: this is a Mac');
  if (hipVersion !== null) return rocmTracerCheck(recordsCuda);
  const library = cuptiVersion === null ? 'no library found' : `API version ${String(cuptiVersion)}`;
  if (recordsCuda && cuptiVersion !== null) return good('CUPTI', library);
  if (cudaVersion === null) {
    return bad('CUPTI', 'this PyTorch has none', 'GPU work is recorded by builds of PyTorch with CUDA.');
  }
  return recordsCuda
    ? bad('CUPTI', library, 'Install it beside PyTorch: the packages nvidia-cuda-cupti-cu12 or nvidia-cuda-cupti.')
    : bad('CUPTI', `PyTorch’s profiler was built without it; ${library}`, 'Install an official build of PyTorch.');
}

/** On ROCm another library does CUPTI's work; PyTorch's profiler still names the activity CUDA. */
function rocmTracerCheck(recordsGpu: boolean): Check {
  return recordsGpu
    ? good('CUPTI', 'not needed: ROCm’s own tracer records')
    : bad(
        'CUPTI',
        'PyTorch’s profiler was built without ROCm’s tracer',
        'Install an official build of PyTorch for ROCm.',
      );
}

/** Returns whether a version such as "2.13.0+cpu" is at least a major and minor number. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(part => parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function quoted(path: string): string {
  return path.includes(' ') ? `"${path}"` : path;
}
