import {reportDefinitions} from '../../src/core/reports/reports.js';
import {tabGroups} from '../../src/core/reports/report.js';
import {rangeKernelColumns} from '../../src/core/tabs/range-kernels.js';
import {rangeTableColumns, stepColumns} from '../../src/core/tabs/range-table.js';
import {traceTabs} from '../../src/core/tabs/tab-list.js';

/**
 * Returns what the tables view says in the editor's language of a trace's tables: titles of tabs, their groups and what
 * they show, titles and definitions of columns. Reports make many of these texts from parts, so no file holds them.
 */
export function tableTexts(): ReadonlySet<string> {
  const ofTabs = reportDefinitions.filter(({tabs = []}) => tabs.length > 0);
  const columns = [
    ...ofTabs.flatMap(({columns, options, columnsWith}) => [
      ...columns,
      ...options.flatMap(option => columnsWith?.([option]) ?? []),
    ]),
    ...[rangeTableColumns, rangeKernelColumns, stepColumns].flat(),
  ];
  return new Set([
    ...tabGroups,
    ...traceTabs.flatMap(({title, about}) => [title, about]),
    ...columns.flatMap(({title, definition}) => [title, definition]),
  ]);
}
