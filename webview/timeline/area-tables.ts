import {formatCount} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {NameRow, WindowSelection, WindowSummary} from '../../src/core/questions/window-summary.js';

/** A table of the area's panel; the first column is a name, the others are figures. */
export interface AreaTable {
  readonly id: 'operations' | 'ranges' | 'calls';
  readonly title: string;
  readonly columns: readonly {readonly title: string; readonly about: string}[];
  readonly rows: readonly (readonly string[])[];
  /** The same rows with whole names and plain numbers, for copying. */
  readonly plain: readonly (readonly (string | number)[])[];
}

/** The tables of what is inside an area: what GPUs did, ranges, API calls. */
export function areaTables({operations, allOperationsNs, ranges, calls, allCallsNs}: WindowSummary): AreaTable[] {
  return [
    namesTable('operations', 'GPU operations', 'GPU work', operations, allOperationsNs),
    {
      id: 'ranges',
      title: 'Ranges',
      columns: [
        {title: 'Name', about: 'the range'},
        {title: 'GPU work', about: 'Σ of the operations of its GPU work, forward and backward, inside the area'},
        {title: 'CPU wall', about: 'Σ of its instances, the parts inside the area'},
        {title: 'Count', about: 'instances that overlap the area'},
      ],
      rows: ranges.map(row => [
        row.name,
        formatDuration(row.gpuWorkNs + row.backwardGpuWorkNs),
        formatDuration(row.cpuWallNs),
        formatCount(row.count),
      ]),
      plain: ranges.map(row => [row.name, row.gpuWorkNs + row.backwardGpuWorkNs, row.cpuWallNs, row.count]),
    },
    namesTable('calls', 'API calls', 'Time', calls, allCallsNs),
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
      {title: 'Name', about: 'the name'},
      {title: time, about: 'Σ of durations, the parts inside the area'},
      {title: 'Share', about: 'of that of everything inside the area'},
      {title: 'Count', about: 'those that overlap the area'},
    ],
    rows: names.map(({name, kind, insideNs, count}) => [
      kind === 'kernel' ? shortKernelName(name) : name,
      formatDuration(insideNs),
      formatPercent(insideNs, allNs),
      formatCount(count),
    ]),
    plain: names.map(({name, insideNs, count}) => [name, insideNs, allNs > 0 ? insideNs / allNs : 0, count]),
  };
}

/** How busy each GPU is inside an area, or the one stream that the area lies over. */
export function busyText({devices, fromNs, toNs}: WindowSummary, {stream}: WindowSelection): string {
  const ofStream = stream === undefined ? '' : `, stream ${String(stream)}`;
  return devices
    .map(({device, busyNs, idleNs}) => {
      const idle = `${formatDuration(idleNs)} (${formatPercent(idleNs, toNs - fromNs)})`;
      return `GPU ${String(device)}${ofStream} busy ${formatDuration(busyNs)}, idle ${idle}`;
    })
    .join(' · ');
}

/** What the tables of an area lack; '' for nothing. */
export function areaNote({omitted}: WindowSummary): string {
  return omitted > 0 ? `${formatCount(omitted)} rows with less time are left out` : '';
}

/** A table as text with tabs between cells, times in ns: what spreadsheets take. A note stands below it. */
export function tableText({columns, plain}: AreaTable, note = ''): string {
  const oneCell = (cell: string | number) => String(cell).replace(/[\t\r\n]+/g, ' ');
  const lines = [columns.map(({title}) => title), ...plain].map(cells => cells.map(oneCell).join('\t'));
  return [...lines, ...(note === '' ? [] : [note]), ''].join('\n');
}
