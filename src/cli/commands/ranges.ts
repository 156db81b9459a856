import type {Attribution} from '../../core/attribution/attribute.js';
import {attributionNotes} from '../../core/attribution/attribution-notes.js';
import {rangeChoiceOf} from '../../core/attribution/range-stack.js';
import {buckets} from '../../core/attribution/site-chains.js';
import {formatCount} from '../../core/format/count.js';
import type {AutomaticKind} from '../../core/source/automatic-ranges.js';
import {formatDuration, formatPercent} from '../../core/format/duration.js';
import {unmatchedBackwardWork} from '../../core/figures/backward-unmatched.js';
import {lossNotes} from '../../core/trace/loss-notes.js';
import {attributionOf} from '../../core/scope/attribution-of.js';
import {rangeGroupings, rangeRows, type RangeGrouping, type RangeRow} from '../../core/figures/range-rows.js';
import type {Selection} from '../../core/scope/selection.js';
import type {Trace} from '../../core/trace/trace.js';
import {oneOf, textOption, UsageError, type Command} from '../command.js';
import {loadProfile} from '../load-trace.js';
import {requireStackOf, stackOf, stackOptions, stackTitle, stackUsage} from '../range-stack.js';
import {linesNowBelow} from '../lines-now.js';
import {formatRows, type Column} from '../report.js';
import {
  passOption,
  passUsage,
  refuseText,
  requireOriginOf,
  selectionOptions,
  selectionUsage,
  selectionWithPass,
} from '../selection.js';
import {sourceNotes} from '../source-notes.js';
import {findSources, type SourcePlace, type Sources} from '../sources.js';

/** `gpu-lens ranges FILE`: GPU and CPU time by tagged range. */
export const rangesCommand: Command = {
  name: 'ranges',
  brief: 'GPU and CPU time of each tagged range, and of the lines',
  readsProfiles: true,
  showsNotes: true,
  usage: `ranges FILE [--by name|path|instance|line] [--all-figures] [--source DIR]\n      ${stackUsage}\n      ${selectionUsage} ${passUsage}`,
  summary: 'GPU and CPU time of each tagged range (NVTX, record_function), and of work outside them',
  options: {
    by: {type: 'string'},
    'all-figures': {type: 'boolean'},
    source: {type: 'string'},
    ...stackOptions,
    ...passOption,
    ...selectionOptions,
  },
  async run(context, files, options) {
    const file = oneFile(files);
    const by = oneOf('by', options['by'], [...rangeGroupings, 'line'] as const, 'name');
    const stack = stackOf(options);
    const sourceFolder = textOption(options['source']);
    const selection = selectionWithPass(options);
    const profile = await loadProfile(file);
    const {trace} = profile;
    refuseText(trace, file, 'ranges');
    requireOriginOf(trace, selection);
    requireStackOf(trace, stack);
    const sources = await findSources(file, profile, sourceFolder);
    // Kinds that the user named are the whole stack.
    const isAutomatic = stack.kinds === undefined && sources.automatic.size > 0;
    const ranges = isAutomatic ? {...stack, operators: [...sources.automatic.keys()]} : stack;
    const isByLine = by === 'line';
    const all = rangeRows(trace, groupingOf(by), {...ranges, selection}).map(row => placed(row, sources));
    const rows = isByLine ? all.filter(hasPlace) : all;
    // For a selection, this is its own work, so that the rows add up to it.
    const workNs = all.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
    const isAll = isByLine || options['all-figures'] === true;
    const columns = [
      ...columnsFor(isAll, workNs, stackTitle(stack), rows.some(isAssumed)),
      ...(isAutomatic ? [kindColumn] : []),
      ...(isByLine ? nowColumns(sources, sourceFolder) : []),
    ];
    context.write(formatRows(rows, columns, context.format));
    if (context.format !== 'table') {
      for (const {text} of lossNotes(trace.notes)) context.tellNote(text);
      return;
    }
    // A part of a profile cannot show what is missing in the whole.
    const isWhole = Object.keys(selection).length === 0 && stack.domain === undefined;
    const ownNotes = isWhole ? sourceNotes(namesOf(all), sources) : [];
    const notes = traceNotes(trace, attributionOf(trace, rangeChoiceOf(ranges)), selection);
    for (const text of [...notes, ...ownNotes]) context.tellNote(text);
  },
};

/** @throws UsageError */
function oneFile([file, ...others]: readonly string[]): string {
  if (file === undefined || others.length > 0) throw new UsageError('ranges needs one file.');
  return file;
}

function traceNotes(trace: Trace, attribution: Attribution, selection: Selection): string[] {
  const notes = [...trace.notes, ...attributionNotes(trace, attribution)].map(({text}) => text);
  const unmatched = unmatchedBackwardWork(trace, attribution, selection).filter(({operations}) => operations > 0);
  if (unmatched.length > 0) {
    const parts = unmatched.map(({sort, workNs}) => `${sort} ${formatDuration(workNs)}`);
    notes.push(`Of "(backward, unmatched)": ${parts.join(', ')}.`);
  }
  return notes;
}

type Row = RangeRow & SourcePlace & {readonly kind: AutomaticKind | 'tag' | null};

/** The names of rows, without the buckets. */
function namesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.slice(0, -buckets.length).map(({name}) => name))];
}

function groupingOf(by: RangeGrouping | 'line'): RangeGrouping {
  return by === 'line' ? 'name' : by;
}

/** A row with the line that opens it. */
function placed(row: RangeRow, {placeOf, automatic}: Sources): Row {
  const kind = row.names === 0 ? null : (automatic.get(row.name) ?? 'tag');
  return {...row, ...placeOf(row.name), kind};
}

function isAssumed({assumed}: Row): boolean {
  return assumed > 0;
}

function hasPlace({file, line}: SourcePlace): boolean {
  return file !== null && line !== null;
}

const kindColumn: Column<Row> = {key: 'kind', title: 'Kind', value: row => row.kind};

/** Whether the figures are those of the line as it is now. */
function nowColumns({sidecar}: Sources, folder: string | null): Column<Row>[] {
  const lineNow = linesNowBelow(folder ?? process.cwd(), sidecar);
  return [
    {key: 'source', title: 'Source', value: row => lineNow(row).source},
    {
      key: 'lineNow',
      title: 'Line now',
      value: row => lineNow(row).lineNow,
      text: row => String(lineNow(row).lineNow ?? ''),
    },
  ];
}

const time = (key: keyof RangeRow & `${string}Ns`, title: string): Column<Row> => ({
  key,
  title,
  value: row => row[key],
  text: row => formatDuration(row[key]),
});
const count = (key: 'count' | 'countWithWork' | 'ops' | 'launches' | 'assumed', title: string): Column<Row> => ({
  key,
  title,
  value: row => row[key],
  text: row => formatCount(row[key]),
});

/** Figures that `--all-figures` adds after the usual ones. @see docs/metrics.md#ranges */
const furtherColumns: readonly Column<Row>[] = [
  count('countWithWork', 'With GPU work'),
  time('cpuSelfNs', 'CPU self'),
  time('cpuBlockedNs', 'CPU blocked'),
  time('gpuTailNs', 'GPU tail'),
  time('backwardGpuBusyNs', 'Backward GPU busy'),
  time('recomputeGpuWorkNs', 'Recomputed GPU work'),
];

/**
 * @param ofWhat added to the title of names: the slices that count as ranges
 * @param hasAssumed whether rows have a column of assumptions
 */
function columnsFor(isAll: boolean, allWorkNs: number, ofWhat: string, hasAssumed: boolean): Column<Row>[] {
  return [
    {key: 'name', title: `Range${ofWhat}`, value: row => row.name},
    {key: 'path', title: 'Path', value: row => row.path},
    count('count', 'Count'),
    time('cpuWallNs', 'CPU wall'),
    {
      ...time('gpuWorkNs', 'GPU work (of all)'),
      text: row => `${formatDuration(row.gpuWorkNs)} (${formatPercent(row.gpuWorkNs, allWorkNs)})`,
    },
    time('gpuSelfNs', 'GPU self work'),
    time('gpuBusyNs', 'GPU busy'),
    time('gpuSpanNs', 'GPU span'),
    time('backwardGpuWorkNs', 'Backward GPU work'),
    time('backwardGpuSelfNs', 'Backward GPU self'),
    count('ops', 'GPU operations'),
    count('launches', 'Launches'),
    {key: 'file', title: 'File', value: row => row.file},
    {key: 'line', title: 'Line', value: row => row.line, text: row => String(row.line ?? '')},
    ...(isAll ? furtherColumns : []),
    ...(hasAssumed ? [count('assumed', 'Assumed')] : []),
  ];
}
