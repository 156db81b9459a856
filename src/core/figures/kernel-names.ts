import {namingOf} from '../attribution/name-fold.js';
import {kernelBaseName} from '../names/kernel-name.js';
import type {Launches} from './launches.js';
import type {RangeSet} from './range-set.js';
import {innermostRanges, type RangeSites} from './range-work.js';
import type {ReportSource} from './report-source.js';

/** Names that kernels can be grouped by, after the report's name: `cuda_gpu_kern_sum:base`. */
export const kernelNameOptions = ['base', 'mangled', 'nvtx-name'] as const;

/** The input for naming kernels. */
export interface KernelNameInput extends ReportSource {
  /** Words of `kernelNameOptions`. */
  readonly options: readonly string[];
  readonly tables: {readonly threadRanges: RangeSet; readonly sites: RangeSites; readonly launches: Launches};
}

/**
 * Returns a function that names a kernel (row of `gpuOperations`) according to the options: demangled with all its
 * arguments, or its base or mangled name, optionally prefixed with the innermost range around its launch
 * (`layer_0/gemm`).
 *
 * A kernel without a mangled name in the file keeps its demangled one; a missing base name is cut out of the demangled
 * one.
 */
export function kernelNamer(input: KernelNameInput): (operation: number) => string {
  const {trace, details, options} = input;
  const {slices, gpuOperations, strings} = trace;
  const demangled = (operation: number) => strings.get(slices.name[gpuOperations.slice[operation]]);
  const name = namer();
  if (!options.includes('nvtx-name')) return name;
  const {threadRanges, sites, launches} = input.tables;
  const innermost = innermostRanges(trace, sites, launches);
  const {textOf} = namingOf(trace, input.stack?.fold, threadRanges.slice);
  return operation => {
    const range = innermost[operation];
    return range < 0 ? name(operation) : `${textOf(slices.name[range])}/${name(operation)}`;
  };

  function namer(): (operation: number) => string {
    const found = details.operations;
    if (options.includes('mangled')) {
      return operation => {
        const mangled = found ? found.table.mangledName[operation] : -1;
        return mangled < 0 ? demangled(operation) : (found?.strings.get(mangled) ?? '');
      };
    }
    if (!options.includes('base')) return demangled;
    return operation => {
      const base = found ? found.table.baseName[operation] : -1;
      return base < 0 ? kernelBaseName(demangled(operation)) : (found?.strings.get(base) ?? '');
    };
  }
}

/**
 * Returns a function that numbers kernels by name in `groups`. If names follow from the demangled one alone, each name
 * is made once and not once per kernel.
 */
export function kernelGrouper(
  input: KernelNameInput,
  groups: {index(text: string): number; byNumber(length: number, textOf: (n: number) => string): (n: number) => number},
): (operation: number) => number {
  const nameOf = kernelNamer(input);
  const {slices, gpuOperations, strings} = input.trace;
  if (input.options.length > 0) return operation => groups.index(nameOf(operation));
  const byName = groups.byNumber(strings.length, name => strings.get(name));
  return operation => byName(slices.name[gpuOperations.slice[operation]]);
}
