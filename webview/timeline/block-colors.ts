import {kernelClass, type KernelClass} from '../../src/core/stats/kernel-class.js';
import {hueColors, kindColors, nameColors, neutralColors, type MarkColors} from '../shared/colors.js';
import type {Theme} from '../shared/theme.js';
import {groupingOf, type Coloring} from './timeline-state.js';

/** Hues of Okabe and Ito's palette and between them: neighbours differ for eyes that do not tell red from green. */
export const hueOfClass: Readonly<Record<Exclude<KernelClass, 'other'>, number>> = {
  'matrix product': 210,
  attention: 265,
  convolution: 190,
  normalisation: 165,
  softmax: 140,
  reduction: 50,
  elementwise: 35,
  copy: 15,
  communication: 325,
};

const classes = new Map<string, KernelClass>();
const rememberedNames = 50_000;

/** The class of a kernel by its name, remembered: it is asked for in every frame. */
export function classOf(name: string): KernelClass {
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
  theme: Theme,
  group: string | null = null,
): MarkColors {
  if (groupingOf(coloring)) return group === null ? neutralColors(theme) : nameColors(group, theme);
  if (coloring === 'name') return nameColors(name, theme);
  if (kind !== 'kernel') return kindColors(kind, name, theme);
  const own = classOf(name);
  return own === 'other' ? nameColors(name, theme) : hueColors(hueOfClass[own], (name.length % 4) * 3, theme);
}
