import type {ThemeKind} from '../../src/core/layout/mark-colors.js';
import {kernelClass, type KernelClass} from '../../src/core/names/kernel-class.js';
import {kindColors, nameColors, neutralColors, type MarkColors} from '../shared/colors.js';
import {classColors} from '../shared/class-colors.js';
import {groupingOf, type Coloring} from './timeline-state.js';

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
 * The colours of a block: kernels by class or by name, others by kind or by name; by range or rank all by their group.
 *
 * @param group the name of the block's range or process, null for none
 */
export function blockColors(
  kind: string,
  name: string,
  coloring: Coloring,
  theme: ThemeKind,
  group: string | null = null,
): MarkColors {
  if (groupingOf(coloring)) return group === null ? neutralColors(theme) : nameColors(group, theme);
  if (coloring === 'name') return nameColors(name, theme);
  if (kind === 'gpu_memcpy' || kind === 'gpu_memset') return classColors('copy', theme);
  if (kind !== 'kernel') return kindColors(kind, name, theme);
  const own = classOf(name);
  return own === 'other' ? nameColors(name, theme) : classColors(own, theme);
}
