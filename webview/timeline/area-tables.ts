import {formatCount} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {NameRow, WindowSelection, WindowSummary} from '../../src/core/questions/window-summary.js';
import {t} from '../shared/translate.js';

/** A table of the area's panel; the first column is a name, the others are figures. */
export interface AreaTable {
  readonly id: 'operations' | 'ranges' | 'calls';
  readonly title: string;
  readonly columns: readonly {readonly title: string; readonly about: string}[];
  readonly rows: readonly AreaRow[];
}

/** The cells of a row in readable form, and as whole names and plain numbers for sorting and copying. */
export interface AreaRow {
  readonly texts: readonly string[];
  readonly plain: readonly (string | number)[];
}

/** Returns the tables of an area's contents: GPU work, ranges, API calls. */
export function areaTables({operations, allOperationsNs, ranges, calls, allCallsNs}: WindowSummary): AreaTable[] {
  return [
    namesTable('operations', t('GPU operations'), t('GPU work'), operations, allOperationsNs),
    {
      id: 'ranges',
      title: t('Ranges'),
      columns: [
        {title: t('Name'), about: t('the range')},
        {title: t('GPU work'), about: t('Σ of the operations of its GPU work, forward and backward, inside the area')},
        {title: t('CPU wall'), about: t('Σ of its instances, the parts inside the area')},
        {title: t('Count'), about: t('instances that overlap the area')},
      ],
      rows: ranges.map(({name, gpuWorkNs, backwardGpuWorkNs, cpuWallNs, count}) => {
        const workNs = gpuWorkNs + backwardGpuWorkNs;
        const texts = [name, formatDuration(workNs), formatDuration(cpuWallNs), formatCount(count)];
        return {texts, plain: [name, workNs, cpuWallNs, count]};
      }),
    },
    namesTable('calls', t('API calls'), t('Time'), calls, allCallsNs),
  ];
}

function namesTable(
  id: AreaTable['id'],
  title: string,
  time: string,
  names: readonly NameRow[],
  allNs: number,
): AreaTable {
  return {
    id,
    title,
    columns: [
      {title: t('Name'), about: t('the name')},
      {title: time, about: t('Σ of durations, the parts inside the area')},
      {title: t('Share'), about: t('of that of everything inside the area')},
      {title: t('Count'), about: t('those that overlap the area')},
    ],
    rows: names.map(({name, kind, insideNs, count}) => {
      const shown = kind === 'kernel' ? shortKernelName(name) : name;
      const texts = [shown, formatDuration(insideNs), formatPercent(insideNs, allNs), formatCount(count)];
      return {texts, plain: [name, insideNs, allNs > 0 ? insideNs / allNs : 0, count]};
    }),
  };
}

/** Returns how busy each GPU is inside an area, or only the stream that the area covers. */
export function busyText({devices, fromNs, toNs}: WindowSummary, {stream}: WindowSelection): string {
  const ofStream = stream === undefined ? '' : t(', stream {0}', stream);
  return devices
    .map(({device, busyNs, idleNs}) => {
      const idle = `${formatDuration(idleNs)} (${formatPercent(idleNs, toNs - fromNs)})`;
      return t('GPU {0}{1} busy {2}, idle {3}', device, ofStream, formatDuration(busyNs), idle);
    })
    .join(' · ');
}

/** Returns what the tables of an area lack; '' for nothing. */
export function areaNote({omitted}: WindowSummary): string {
  return omitted > 0 ? t('{0} rows with less time are left out', formatCount(omitted)) : '';
}

/** Returns a table as text with tabs between cells and times in ns, for spreadsheets. The note follows the table. */
export function tableText({columns, rows}: Pick<AreaTable, 'columns' | 'rows'>, note = ''): string {
  const oneCell = (cell: string | number) => String(cell).replace(/[\t\r\n]+/g, ' ');
  const lines = [columns.map(({title}) => title), ...rows.map(({plain}) => plain)].map(cells =>
    cells.map(oneCell).join('\t'),
  );
  return [...lines, ...(note === '' ? [] : [note]), ''].join('\n');
}
