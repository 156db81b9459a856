import {say, template} from '../base/say.js';
import {workPart} from '../gpu-work/work-part.js';
import {askWork} from '../gpu-work/ask-work.js';
import type {WorkKind} from '../gpu-work/work-groups.js';
import {sourceLines} from '../lines/source-lines.js';
import {noDetails} from '../figures/report-details.js';
import {reportInput} from '../figures/report-input.js';
import {keyAverages} from '../reports/key-averages.js';
import type {Selection} from '../scope/selection.js';
import {wholeTrace} from '../scope/report-scope.js';
import type {TableTab} from '../tabs/tab-list.js';
import type {Trace} from '../trace/trace.js';

/** A row of the list of largest times. */
export interface TopRow {
  readonly name: string;
  /** The names around it, or the full name. */
  readonly path: string;
  readonly ns: number;
  readonly count: number;
  /** A name whose source line can be opened; null if the row is found by what it is. */
  readonly frame: string | null;
  /** Whether it is work without a name; it comes after the names, however much it is. */
  readonly isBucket: boolean;
}

/** The largest times of one kind. */
export interface TopList {
  readonly title: string;
  /** What the times measure: "GPU work", … */
  readonly measure: string;
  /** The kind of a row, so that it can be shown elsewhere. */
  readonly row: TableTab['row'];
  /** The table with all rows; null if there is none. */
  readonly tab: string | null;
  /** The time to which shares refer. */
  readonly allNs: number;
  /** The largest first; work without a name last. */
  readonly rows: readonly TopRow[];
  /** The number of further names. */
  readonly others: number;
}

const shownRows = 5;

interface KindOfList extends Pick<TopList, 'title' | 'row' | 'tab'> {
  readonly kind: WorkKind;
}

const lists: readonly KindOfList[] = [
  {kind: 'kernel', title: template('Kernels'), row: 'kernel', tab: 'kernels'},
  {kind: 'op', title: template('Operators'), row: 'operator', tab: 'operators'},
  {kind: 'module', title: template('Modules'), row: 'operator', tab: null},
  {kind: 'range', title: template('Ranges'), row: 'range', tab: 'ranges'},
];

/**
 * Returns the largest GPU work, by kind; lists without named rows are omitted. Rows are self work, so the rows of a
 * list add up to all GPU work.
 *
 * @param selection the part of the profile that counts. Lines cover the whole profile, and are omitted for a part
 * @throws TraceError `trace/too-many-open-ranges`, `selection/no-match`
 */
export function topLists(trace: Trace, selection: Selection = {}): TopList[] {
  const part = workPart(trace, selection, false);
  const ofWork = lists.flatMap(({kind, ...list}): TopList[] => {
    const {rows, total, coverage} = askWork(part, kind);
    if (coverage === 0) return [];
    const shown = rows.flatMap(({name, path, gpuWorkNs: ns, count, isBucket}) =>
      ns > 0 ? [{name, path, ns, count, frame: null, isBucket}] : [],
    );
    return [{...list, title: say(list.title), measure: say('GPU work'), allNs: total.gpuWorkNs, ...most(shown)}];
  });
  return [...ofWork, ...(Object.keys(selection).length === 0 ? linesList(trace) : [])];
}

/** Returns lines of the user's own Python files, if the profile has stacks. */
function linesList(trace: Trace): TopList[] {
  const {lines, allGpuWorkNs} = sourceLines(trace, 'profile');
  const rows = lines
    .map(({file, line, functions, names, gpuSelfNs, backwardGpuSelfNs, count}) => ({
      ...{
        name: `${file.split(/[\\/]/).at(-1) ?? file}:${String(line)} ${functions.join(', ')}`,
        path: `${file}:${String(line)}`,
      },
      ...{ns: gpuSelfNs + backwardGpuSelfNs, count, frame: names[0] ?? null, isBucket: false},
    }))
    .filter(({ns}) => ns > 0);
  if (rows.length === 0) return [];
  return [{title: say('Lines'), measure: say('GPU work'), row: 'plain', tab: null, allNs: allGpuWorkNs, ...most(rows)}];
}

/** Returns the largest CPU times in a profile without GPU work. */
export function topCpuLists(trace: Trace): TopList[] {
  const rows = keyAverages(reportInput({trace, details: noDetails, scope: wholeTrace})).flatMap(
    ({name, isDevice, selfCpuNs: ns, count}) =>
      isDevice || ns <= 0 ? [] : [{name, path: name, ns, count, frame: null, isBucket: false}],
  );
  if (rows.length === 0) return [];
  const allNs = rows.reduce((sum, {ns}) => sum + ns, 0);
  return [{title: say('Operators'), measure: say('CPU time'), row: 'operator', tab: 'operators', allNs, ...most(rows)}];
}

function most(rows: readonly TopRow[]): Pick<TopList, 'rows' | 'others'> {
  const sorted = rows.toSorted((a, b) => b.ns - a.ns);
  const named = sorted.filter(({isBucket}) => !isBucket);
  const unnamed = sorted.filter(({isBucket}) => isBucket);
  return {rows: [...named.slice(0, shownRows), ...unnamed], others: Math.max(0, named.length - shownRows)};
}
