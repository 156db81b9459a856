import {sliceColors} from '../../src/core/layout/slice-colors.js';
import {nameColors, neutralColors, type MarkColors, type ThemeKind} from '../shared/colors.js';
import {groupingOf, type Coloring} from './timeline-state.js';

/**
 * The colours of a block: those that its slice has in every view, or by name; by range or rank all by their group.
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
