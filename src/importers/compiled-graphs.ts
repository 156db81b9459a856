import {calledGraphs, type CompiledGraphs} from '../core/questions/compiled-graphs.js';
import type {Trace} from '../core/trace/trace.js';
import {readSliceArguments, type ArgumentOptions, type OpenedFile} from './slice-arguments.js';

/** PyTorch's name of the file among the arguments of a compiled kernel's operator. */
const kernelFileArgument = 'kernel_file';

/**
 * Returns where a trace says that its compiled graphs are; null if it does not say.
 *
 * @throws TraceError as `readSliceArguments`
 */
export async function readCompiledGraphs(
  file: OpenedFile,
  trace: Trace,
  options: ArgumentOptions = {},
): Promise<CompiledGraphs | null> {
  const {keys, kernels} = calledGraphs(trace);
  for (const slice of kernels) {
    const facts = await readSliceArguments(file, trace, slice, options);
    const kernelFile = facts.find(({name}) => name === kernelFileArgument)?.value;
    if (kernelFile !== undefined && kernelFile !== '') return {kernelFile, keys};
  }
  return null;
}
