import {kernelClass, type KernelClass} from '../names/kernel-class.js';
import {classColors} from './class-colors.js';
import {kindColors, nameColors, type MarkColors, type ThemeKind} from './mark-colors.js';

const classes = new Map<string, KernelClass>();
const rememberedNames = 50_000;

/** The class of a kernel by its name, remembered: it is asked for in every frame. */
function classOf(name: string): KernelClass {
  let known = classes.get(name);
  if (known === undefined) {
    if (classes.size > rememberedNames) classes.clear();
    classes.set(name, (known = kernelClass(name)));
  }
  return known;
}

/**
 * The colours of a slice in every view: what a GPU does by its class, API calls and waits by their kind, operators, ranges
 * and kernels of no class by their name.
 *
 * @param kind of the slice; a kernel stands for any operation of a GPU whose name alone is known
 */
export function sliceColors(kind: string, name: string, theme: ThemeKind): MarkColors {
  if (kind === 'gpu_memcpy' || kind === 'gpu_memset') return classColors('copy', theme);
  if (kind !== 'kernel') return kindColors(kind, name, theme);
  const own = isMemset.test(name) ? 'copy' : classOf(name);
  return own === 'other' ? nameColors(name, theme) : classColors(own, theme);
}

/** As PyTorch's profiler and nsys name it. */
const isMemset = /^(\[CUDA )?memset\b/i;
