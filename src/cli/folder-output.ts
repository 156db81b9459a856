import {plural} from '../core/format/count.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import {formatBytes} from '../core/memory-snapshot/format-bytes.js';
import type {ProfileFigures} from '../core/summary/profile-figures.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

/** A profile of a folder. */
export interface ListedProfile {
  /** Its path in the folder, or as it was named. */
  readonly file: string;
  readonly bytes: number;
  /** Its figures, or why it cannot be read. */
  readonly read: ProfileFigures | Error;
}

/** Returns the list as JSON, with what kept a profile from being read, or as rows in another format. */
export function listedText(profiles: readonly ListedProfile[], format: OutputFormat): string {
  return format === 'json'
    ? `${JSON.stringify(profiles.map(asJson), null, 2)}\n`
    : formatRows(profiles, columns, format);
}

function asJson({file, bytes, read}: ListedProfile): object {
  return read instanceof Error ? {file, bytes, error: read.message} : {file, bytes, ...read};
}

/** A column of figures: nothing where a profile cannot be read. */
function figure(
  key: string,
  title: string,
  value: (figures: ProfileFigures) => number | string | null,
  textOf?: (figures: ProfileFigures) => string,
): Column<ListedProfile> {
  return {
    ...{key, title, value: ({read}) => (read instanceof Error ? null : value(read))},
    ...(textOf && {text: ({read}) => (read instanceof Error ? '' : textOf(read))}),
  };
}

const columns: readonly Column<ListedProfile>[] = [
  {key: 'file', title: 'File', value: ({file}) => file},
  figure('profiler', 'Profiler', ({profiler}) => profiler),
  figure('gpus', 'GPU', gpuText),
  figure('steps', 'Steps', ({steps}) => steps),
  figure(
    'stepNs',
    'Step',
    ({stepNs}) => stepNs,
    ({stepNs}) => (stepNs === null ? '' : formatDuration(stepNs)),
  ),
  figure(
    'spanNs',
    'Span',
    ({spanNs}) => spanNs,
    ({spanNs}) => formatDuration(spanNs),
  ),
  figure(
    'gpuWorkNs',
    'GPU work',
    ({gpu}) => gpu.workNs,
    ({gpu}) => formatDuration(gpu.workNs),
  ),
  figure(
    'gpuBusyNs',
    'GPU busy',
    ({gpu}) => gpu.busyNs,
    ({gpu}) => (gpu.spanNs > 0 ? formatPercent(gpu.busyNs, gpu.spanNs) : ''),
  ),
  {key: 'bytes', title: 'Size', value: ({bytes}) => bytes, text: ({bytes}) => formatBytes(bytes)},
  {key: 'note', title: 'Note', value: noteOf},
];

function gpuText({gpus, gpuNames}: ProfileFigures): string {
  if (gpus === 0) return '';
  const names = gpuNames.join(', ') || 'GPU';
  return gpus === 1 ? names : `${String(gpus)} × ${names}`;
}

function noteOf({read}: ListedProfile): string {
  return read instanceof Error ? read.message : read.losses.map(({text: said}) => said).join(' ');
}

const mostNames = 3;

/** Returns a note about files that were left out because they are not profiles. @param names at least one */
export function leftOutText(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  const rest = names.length > mostNames ? `, and ${String(names.length - mostNames)} more` : '';
  const [are, were] = names.length === 1 ? ['is not a profile', 'was'] : ['are not profiles', 'were'];
  return `${plural(names.length, 'file')} ${are} and ${were} left out: ${shown}${rest}.`;
}
