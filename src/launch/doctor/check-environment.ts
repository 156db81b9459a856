import {describeError, TraceError} from '../../core/base/errors.js';
import type {NsysHints} from '../programs/find-nsys.js';
import {findPython, type InterpreterHints} from '../python/python-interpreter.js';
import {bad, type Check} from './check.js';
import {gpuChecks} from './gpu-checks.js';
import {pythonChecks} from './python-checks.js';
import {askPython} from './python-facts.js';
import {toolChecks} from './tool-checks.js';

export interface EnvironmentHints {
  readonly python: InterpreterHints;
  readonly nsys: NsysHints;
  /** The folder of the runner's package. */
  readonly runner: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the state of what profiling needs on this machine: interpreter, torch, CUPTI, GPU, driver, counters, nsys,
 * ncu.
 *
 * @throws TraceError `import/cancelled`
 */
export async function checkEnvironment(hints: EnvironmentHints): Promise<Check[]> {
  const {signal} = hints;
  try {
    return [
      ...(await interpreterChecks(hints)),
      ...(await gpuChecks({}, signal)),
      ...(await toolChecks(hints.nsys, signal)),
    ];
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new TraceError('import/cancelled', 'The check of the environment was cancelled.', {cause: error});
  }
}

async function interpreterChecks({python: hints, runner, signal}: EnvironmentHints): Promise<Check[]> {
  const remedy = 'Select an interpreter in the Python extension, or name one: gpuLens.python, --python.';
  try {
    const {path, chosenBy} = await findPython(hints);
    const facts = await askPython(path, runner, signal);
    if ('failure' in facts) return [bad('Python', `${path} could not be asked: ${facts.failure}`, remedy)];
    return pythonChecks(facts, chosenBy, process.platform === 'darwin');
  } catch (error) {
    if (error instanceof TraceError && error.code === 'import/cancelled') throw error;
    return [bad('Python', describeError(error, 'launch/no-python').message, remedy)];
  }
}
