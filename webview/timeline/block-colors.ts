import {sliceColors} from '../../src/core/layout/slice-colors.js';
import {nameColors, neutralColors, type MarkColors, type ThemeKind} from '../shared/colors.js';
import {groupingOf, type Coloring} from './timeline-state.js';

/**
 * Returns the colours of a block: those of its slice in every view, or by name; colouring by range or rank uses the
 * group for all.
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
  return coloring === 'name' ? nameColors(name, theme) : sliceColors(kind, name, theme);
}
