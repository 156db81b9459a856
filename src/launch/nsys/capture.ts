import {access} from 'node:fs/promises';
import {TraceError} from '../../core/base/errors.js';
import {isPython} from '../python/python-interpreter.js';
import {runProgram} from '../programs/run-program.js';
import {hasFlag} from './nsys-arguments.js';

/**
 * What nsys captures, as the user writes it: `run` (everything), `steps` (the measured steps of a script),
 * `cudaProfilerApi` (what the program puts between cudaProfilerStart and cudaProfilerStop), `nvtx:RANGE` or
 * `nvtx:RANGE@DOMAIN` (the program's first range of that name).
 */
export const capturePattern = /^(run|steps|cudaProfilerApi|nvtx:.+)$/;

/** The NVTX range that the runner opens around measured steps; `gpulens_runner/watched_steps.py` has the same name. */
const stepsRange = 'gpu_lens_measured_steps';

/** How the runner inside the program opens the capture: by the profiler API or an NVTX range. */
export type CaptureWay = 'cuda' | 'nvtx';

/** Returns the `nsys profile` flags of a capture range for this version. @throws TraceError `launch/nsys-failed` */
export function captureFlags(help: string, capture: string, way: CaptureWay): string[] {
  if (capture === 'run') return [];
  if (!hasFlag(help, '--capture-range')) {
    throw new TraceError(
      'launch/nsys-failed',
      'This nsys has no --capture-range: install a newer one, or record the whole run (capture: run).',
    );
  }
  const usesApi = capture === 'cudaProfilerApi' || (capture === 'steps' && way === 'cuda');
  const range = capture === 'steps' ? stepsRange : capture.replace(/^nvtx:/, '');
  return [
    ...(usesApi
      ? ['--capture-range=cudaProfilerApi']
      : // nsys checks names other than registered strings only with this option.
        ['--capture-range=nvtx', `--nvtx-capture=${range}`, '--env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0']),
    ...endFlags(help),
  ];
}

/**
 * nsys ends with the range, and the program continues. `stop` alone hangs in 2022.4 if the program has already ended.
 */
function endFlags(help: string): string[] {
  const end = hasFlag(help, '--capture-range-end')
    ? ['--capture-range-end=stop-shutdown']
    : hasFlag(help, '--stop-on-range-end')
      ? ['--stop-on-range-end=true']
      : [];
  return [...end, ...(hasFlag(help, '--kill') ? ['--kill=none'] : [])];
}

/**
 * Returns how the runner can open the capture: by the profiler API if there are a driver and a PyTorch built for CUDA,
 * else by an NVTX range, which works everywhere.
 */
export async function captureWay(command: readonly string[], signal: AbortSignal): Promise<CaptureWay> {
  const [program = ''] = command;
  const hasDriver = await access('/proc/driver/nvidia/version').then(
    () => true,
    () => false,
  );
  if (!hasDriver || !isPython(program)) return 'nvtx';
  // Reads the version file without importing torch, which takes seconds.
  const {status} = await runProgram(program, ['-c', builtForCuda], {signal}).catch(() => ({status: 1}));
  return status === 0 ? 'cuda' : 'nvtx';
}

const builtForCuda = `
import importlib.util, os, runpy, sys
spec = importlib.util.find_spec("torch")
path = os.path.join(os.path.dirname(spec.origin), "version.py") if spec and spec.origin else ""
sys.exit(0 if os.path.exists(path) and runpy.run_path(path).get("cuda") else 1)
`;

/** Returns the message for a range that was never opened, so that nsys recorded nothing. */
export function neverOpened(name: string, capture: string, stepsTaken: number): string {
  const before = `${name} never opened the capture range, so nsys recorded nothing: `;
  const orWhole = ', or record the whole run (capture: run).';
  if (capture === 'steps') {
    const taken = stepsTaken === 0 ? 'it took no step that was found' : 'it ended in its warm-up';
    return `${before}${taken}. Say what a step is (step), warm up less${orWhole}`;
  }
  const wanted =
    capture === 'cudaProfilerApi'
      ? 'it did not call cudaProfilerStart (torch.cuda.profiler.start)'
      : `no NVTX range was opened that is named ${capture.replace(/^nvtx:/, '')}, or it had ended before nsys began to record`;
  return `${before}${wanted}. Put that round what is to be recorded${orWhole}`;
}
