import {kernelClass, type KernelClass} from '../names/kernel-class.js';
import {classColors} from './class-colors.js';
import {kindColors, nameColors, type MarkColors, type ThemeKind} from './mark-colors.js';

const classes = new Map<string, KernelClass>();
const rememberedNames = 50_000;

/** Returns the class of a kernel by its name, cached: it is needed in every frame. */
function classOf(name: string): KernelClass {
  let known = classes.get(name);
  if (known === undefined) {
    if (classes.size > rememberedNames) classes.clear();
    classes.set(name, (known = kernelClass(name)));
  }
  return known;
}

/**
 * Returns the colours of a slice in every view: GPU work by class; API calls and waits by kind; operators, ranges and
 * kernels without a class by name.
 *
 * @param kind kind of the slice; use a kernel for a GPU operation of which only the name is known
 */
export function sliceColors(kind: string, name: string, theme: ThemeKind): MarkColors {
  if (kind === 'gpu_memcpy' || kind === 'gpu_memset') return classColors('copy', theme);
  if (kind !== 'kernel') return kindColors(kind, name, theme);
  const own = isMemset.test(name) ? 'copy' : classOf(name);
  return own === 'other' ? nameColors(name, theme) : classColors(own, theme);
}

/** As named by PyTorch's profiler and nsys. */
const isMemset = /^(\[CUDA )?memset\b/i;
