import type {Attribution} from '../../core/attribution/attribute.js';
import {attributionNotes} from '../../core/attribution/attribution-notes.js';
import {TraceError} from '../../core/errors.js';
import {buckets} from '../../core/attribution/site-chains.js';
import {formatCount} from '../../core/format/count.js';
import {formatDuration, formatPercent} from '../../core/format/duration.js';
import {foldName} from '../../core/format/operator-name.js';
import {unmatchedBackwardWork} from '../../core/queries/backward-unmatched.js';
import {attributionOf, rangeGroupings, rangeRows, type RangeQuery, type RangeRow} from '../../core/queries/ranges.js';
import type {Selection} from '../../core/queries/selection.js';
import {domainsOf} from '../../core/trace/nvtx-domains.js';
import {taggedRangeKinds, type SliceKind} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import {oneOf, UsageError, type Command} from '../command.js';
import {loadTrace} from '../load-trace.js';
import {formatRows, type Column} from '../report.js';
import {
  passOption,
  passUsage,
  requireGpuOf,
  selectionOptions,
  selectionUsage,
  selectionWithPass,
} from '../selection.js';
import {sourceNotes} from '../source-notes.js';
import {findSources, type SourcePlace} from '../sources.js';

/** `gpu-lens ranges FILE`: GPU and CPU time by tagged range. */
export const rangesCommand: Command = {
  name: 'ranges',
  usage: `ranges FILE [--by name|path|instance] [--kinds op,module,python] [--domain NAME] [--fold] [--unfold NAME] [--all-figures] [--source DIR]\n      ${selectionUsage} ${passUsage}`,
  summary: 'GPU and CPU time of each tagged range (NVTX, record_function), and of work outside them',
  options: {
    by: {type: 'string'},
    kinds: {type: 'string'},
    domain: {type: 'string'},
    fold: {type: 'boolean'},
    unfold: {type: 'string'},
    'all-figures': {type: 'boolean'},
    source: {type: 'string'},
    ...passOption,
    ...selectionOptions,
  },
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('ranges needs one file.');
    const by = oneOf('by', options['by'], rangeGroupings, 'name');
    const kinds = kindsOf(options['kinds']);
    const sourceFolder = typeof options['source'] === 'string' ? options['source'] : null;
    const domain = typeof options['domain'] === 'string' ? options['domain'] : undefined;
    const fold = foldOf(options);
    const selection = selectionWithPass(options);
    const trace = await loadTrace(file);
    requireGpuOf(trace, selection);
    requireDomain(trace, domain);
    requireFolded(trace, fold?.unfolded ?? [], {kinds, domain});
    const sources = await findSources(file, sourceFolder);
    const rows = rangeRows(trace, by, {kinds, domain, fold, selection}).map(row => ({
      ...row,
      ...sources.placeOf(row.name),
    }));
    // Of a selection this is its own work: the account closes.
    const workNs = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
    context.write(formatRows(rows, columnsFor(options['all-figures'] === true, workNs), context.format));
    if (context.format !== 'table') return;
    // A part of a profile does not tell what is missing in all of it.
    const isWhole = Object.keys(selection).length === 0 && domain === undefined;
    const names = new Set(rows.slice(0, -buckets.length).map(({name}) => name));
    const notes = [
      ...traceNotes(trace, attributionOf(trace, {kinds, domain}), selection),
      ...(isWhole ? sourceNotes([...names], sources) : []),
    ];
    for (const text of notes) context.tell(`Note: ${text}`);
  },
};

function traceNotes(trace: Trace, attribution: Attribution, selection: Selection): string[] {
  const notes = [...trace.notes, ...attributionNotes(trace, attribution)].map(({text}) => text);
  const unmatched = unmatchedBackwardWork(trace, attribution, selection).filter(({operations}) => operations > 0);
  if (unmatched.length > 0) {
    const parts = unmatched.map(({sort, workNs}) => `${sort} ${formatDuration(workNs)}`);
    notes.push(`Of "(backward, unmatched)": ${parts.join(', ')}.`);
  }
  return notes;
}

const kindsByWord: Readonly<Record<string, readonly SliceKind[]>> = {
  op: ['cpu_op'],
  module: ['module'],
  python: ['python_function', 'module'],
};

/** How names are folded: all that a tool numbers but the one of `--unfold`. @throws UsageError */
function foldOf({
  fold,
  unfold,
}: Readonly<Record<string, string | boolean | undefined>>): {readonly unfolded: readonly string[]} | null {
  if (typeof unfold === 'string' && fold !== true) throw new UsageError('--unfold goes with --fold.');
  if (fold !== true) return null;
  return {unfolded: typeof unfold === 'string' ? [foldName(unfold)] : []};
}

/** @throws TraceError `selection/no-match` for a name that no row of folded names has */
function requireFolded(trace: Trace, names: readonly string[], query: RangeQuery): void {
  if (names.length === 0) return;
  const rows = rangeRows(trace, 'name', {...query, fold: {unfolded: []}});
  for (const name of names) {
    if (rows.some(row => row.name === name)) continue;
    throw new TraceError('selection/no-match', `With --fold this profile has no range "${name}" to unfold.`);
  }
}

/** @throws TraceError `selection/no-match` for a domain of which there are no ranges */
function requireDomain(trace: Trace, domain: string | undefined): void {
  const domains = domainsOf(trace);
  if (domain === undefined || domain === '' || domains.includes(domain)) return;
  const has = domains.length === 0 ? 'no named ones' : domains.join(', ');
  throw new TraceError('selection/no-match', `This profile has no NVTX domain "${domain}"; it has ${has}.`);
}

/** Tagged ranges, and the kinds that the user adds. @throws UsageError */
function kindsOf(value: string | boolean | undefined): ReadonlySet<SliceKind> {
  const kinds = new Set(taggedRangeKinds);
  for (const word of typeof value === 'string' ? value.split(',') : []) {
    const added = Object.hasOwn(kindsByWord, word) ? kindsByWord[word] : undefined;
    if (!added) throw new UsageError(`--kinds takes ${Object.keys(kindsByWord).join(', ')}; not "${word}".`);
    for (const kind of added) kinds.add(kind);
  }
  return kinds;
}

type Row = RangeRow & SourcePlace;

/** Figures that `--all-figures` puts behind the usual ones. @see docs/metrics.md#ranges */
const furtherKeys = [
  'countWithWork',
  'cpuSelfNs',
  'cpuBlockedNs',
  'gpuTailNs',
  'backwardGpuBusyNs',
  'recomputeGpuWorkNs',
] as const satisfies readonly (keyof RangeRow)[];

function columnsFor(isAll: boolean, allWorkNs: number): Column<Row>[] {
  const usual = columns(allWorkNs);
  if (!isAll) return usual;
  return [...usual, ...furtherKeys.map(key => ({key, title: key, value: (row: Row) => row[key]}))];
}

function columns(allWorkNs: number): Column<Row>[] {
  const time = (key: keyof RangeRow & `${string}Ns`, title: string): Column<Row> => ({
    key,
    title,
    value: row => row[key],
    text: row => formatDuration(row[key]),
  });
  const count = (key: 'count' | 'ops' | 'launches', title: string): Column<Row> => ({
    key,
    title,
    value: row => row[key],
    text: row => formatCount(row[key]),
  });
  return [
    {key: 'name', title: 'Range', value: row => row.name},
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
  ];
}
