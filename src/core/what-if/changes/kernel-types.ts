import {systemPresets, type SystemPreset} from '../../estimate/system-presets.js';
import {vectorPeak, type System} from '../../estimate/system.js';
import {kernelClass, type KernelClass} from '../../names/kernel-class.js';
import {productTypeInName, type ProductType} from '../../names/product-type.js';
import {kindIndex} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';

/** What an operation does, as far as it determines its time. */
export type WorkClass = KernelClass | 'device copy' | 'host copy';

/** Returns the class of each operation of a trace. */
export function workClasses({slices, strings, gpuOperations}: Trace): readonly WorkClass[] {
  const ofName = new Map<number, KernelClass>();
  return Array.from(gpuOperations.slice, row => {
    const name = slices.name[row];
    if (slices.kind[row] === kindIndex.gpu_memset) return 'device copy';
    if (slices.kind[row] === kindIndex.gpu_memcpy) {
      return /DtoD|Device-to-Device|DeviceToDevice/i.test(strings.get(name)) ? 'device copy' : 'host copy';
    }
    let found = ofName.get(name);
    if (found === undefined) ofName.set(name, (found = kernelClass(strings.get(name))));
    return found;
  });
}

/** Classes that are limited by computation if they are large; the others are limited by memory. */
export const computing: ReadonlySet<WorkClass> = new Set<WorkClass>(['matrix product', 'convolution', 'attention']);

/** Returns the type that a kernel multiplies; fp32 if its name does not contain one. */
export function productType(name: string): ProductType {
  return productTypeInName(name) ?? 'fp32';
}

/**
 * Returns a system's peak for products of a type, in operations per second; null if its data sheet does not give one.
 */
export function productPeak(system: System, type: ProductType): number | null {
  const matrix = system.matrixFlopsPerSecond[type];
  if (matrix !== undefined) return matrix;
  if (type === 'fp32') return vectorPeak(system, 'fp32');
  // A GPU without tensor cores for the type computes it as fp32 or fp16.
  return type === 'tf32' ? vectorPeak(system, 'fp32') : (system.matrixFlopsPerSecond.fp16 ?? null);
}

/** Returns the preset with a name: its id, or the GPU's name in profiles. */
export function presetNamed(name: string): SystemPreset | undefined {
  const id = name.toLowerCase();
  return (
    systemPresets.find(preset => preset.id === id) ??
    systemPresets.find(({deviceName}) => deviceName.test(name)) ??
    systemPresets.find(preset => preset.id.startsWith(id))
  );
}
