import {dirname, join, resolve} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {plural} from '../core/format/count.js';
import {formatDuration, formatPercent} from '../core/format/duration.js';
import type {Trace, TraceNote} from '../core/trace/trace.js';
import type {Change} from '../core/what-if/changes/change.js';
import {parseChange} from '../core/what-if/changes/parse-change.js';
import {
  containsChange,
  errorPoints,
  isInside,
  trackRecord,
  trackRecordText,
  type KeptPrediction,
} from '../core/what-if/record/track-record.js';
import {whatIf, type WhatIfAnswer} from '../core/what-if/what-if.js';
import {keepPredictions, predictionsFile, predictionsOfRuns, runsAround} from '../launch/history/kept-predictions.js';
import {findOutcomes, type FoundOutcomes} from '../launch/history/prediction-outcomes.js';
import {usualOutputFolder} from '../launch/run/run-folder.js';
import type {CommandContext} from './command.js';
import {loadTrace} from './load-trace.js';
import {formatRows, type Column} from './report.js';

/**
 * Keeps a prediction with the run that its profile lies in. Returns how good earlier predictions of these runs
 * were; nothing for a profile outside of runs, or without other predictions.
 */
export async function keepAndTell(
  path: string,
  changes: readonly Change[],
  answer: WhatIfAnswer,
): Promise<TraceNote[]> {
  const {measuredNs, predictedNs, intervalNs} = answer;
  const profile = resolve(path);
  const before = (await predictionsOfRuns(runsAround(profile))).runs.flatMap(({predictions}) => predictions);
  const notes: TraceNote[] = [];
  if (changes.length > 0 && predictedNs !== null && intervalNs !== null) {
    const made = [{changes: changes.map(({text}) => text), measuredNs, predictedNs, intervalNs}];
    if ((await keepPredictions(profile, made)) === false) {
      const file = predictionsFile(dirname(profile));
      notes.push({code: 'what-if/not-kept', text: `The prediction is not kept: ${file} cannot be read or written.`});
    }
  }
  const text = trackRecordText(trackRecord(before));
  return text === null ? notes : [...notes, {code: 'what-if/record', text}];
}

/** A prediction with its run and its outcome. */
interface RecordRow extends Omit<KeptPrediction, 'outcome'> {
  readonly run: string;
  readonly laterRun: string | null;
  readonly laterNs: number | null;
  readonly errorPoints: number | null;
  readonly isInside: boolean | null;
}

/** Prints the predictions of all runs in an output folder, each beside the later run that has its changes. */
export async function printRecord(context: CommandContext, output: string = usualOutputFolder): Promise<void> {
  const runs = join(resolve(output), 'runs');
  const {runs: found, ...missed} = await findOutcomes(runs, measureOutcomes);
  for (const text of missedTexts(runs, missed)) context.tellNote(text);
  const rows = found.flatMap(({folder, predictions}) => predictions.map(one => rowOf(folder, one)));
  const record = trackRecord(found.flatMap(({predictions}) => predictions));
  if (context.format === 'json') {
    context.write(`${JSON.stringify({predictions: rows, record}, null, 2)}\n`);
    return;
  }
  const table = formatRows(rows, columns, context.format);
  const text = trackRecordText(record) ?? `No predictions are kept in ${runs}.`;
  context.write(context.format === 'csv' ? table : rows.length === 0 ? `${text}\n` : `${text}\n\n${table}`);
}

/** What of the runs is not in the record, a sentence each. */
function missedTexts(runs: string, {damaged, unreadable, unopened}: Omit<FoundOutcomes, 'runs'>): string[] {
  return [
    ...damaged.map(folder => `${predictionsFile(join(runs, folder))} was left out: it cannot be read.`),
    ...unreadable.map(path => `${path} was left out: it cannot be read.`),
    ...(unopened > 0 ? [`${plural(unopened, 'later profile')} more could have outcomes, and were not opened.`] : []),
  ];
}

/** Returns the time of a profile for each prediction whose changes it contains; null if it cannot be read. */
async function measureOutcomes(
  profile: string,
  predictions: readonly KeptPrediction[],
): Promise<(number | null)[] | null> {
  try {
    const trace = await loadTrace(profile);
    return predictions.map(one => measureOutcome(trace, one));
  } catch (error) {
    if (error instanceof TraceError && error.code !== 'import/cancelled') return null;
    throw error;
  }
}

/** Returns the time of a step, if it contains the changes: applying them again gains little, or changes nothing. */
function measureOutcome(trace: Trace, prediction: KeptPrediction): number | null {
  const changes = prediction.changes.map(parseChange);
  if (changes.some(change => typeof change === 'string')) return null;
  const asked = changes.filter(change => typeof change !== 'string');
  const {measuredNs, replayedNs, predictedNs, notes} = whatIf(trace, null, asked);
  if (replayedNs === null || measuredNs === 0) return null;
  const unknown = notes.filter(({code}) => code === 'what-if/unknown').length;
  if (predictedNs === null && unknown < asked.length) return null;
  const later = predictedNs === null ? null : {measuredNs, predictedNs};
  return containsChange(prediction, later) ? measuredNs : null;
}

function rowOf(run: string, prediction: KeptPrediction): RecordRow {
  const {outcome, ...rest} = prediction;
  const points = errorPoints(prediction);
  return {
    ...{run, ...rest, laterRun: outcome?.run ?? null, laterNs: outcome?.measuredNs ?? null},
    ...{errorPoints: points === null ? null : Math.round(points * 10) / 10, isInside: isInside(prediction)},
  };
}

const changeText = (predictedNs: number, measuredNs: number) =>
  `${predictedNs <= measuredNs ? '-' : '+'}${formatPercent(Math.abs(predictedNs - measuredNs), measuredNs)}`;
const optionalTime = (ns: number | null) => (ns === null ? '' : formatDuration(ns));

const columns: readonly Column<RecordRow>[] = [
  {key: 'run', title: 'Run', value: ({run}) => run},
  {key: 'changes', title: 'Changes', value: ({changes}) => changes.join(' ')},
  {key: 'measuredNs', title: 'Before', value: row => row.measuredNs, text: row => formatDuration(row.measuredNs)},
  {
    key: 'predictedNs',
    title: 'Predicted',
    value: row => row.predictedNs,
    text: ({predictedNs, measuredNs}) => `≈ ${formatDuration(predictedNs)} (${changeText(predictedNs, measuredNs)})`,
  },
  {key: 'lowNs', title: 'At least', value: row => row.intervalNs[0], text: row => formatDuration(row.intervalNs[0])},
  {key: 'highNs', title: 'At most', value: row => row.intervalNs[1], text: row => formatDuration(row.intervalNs[1])},
  {key: 'laterNs', title: 'Measured', value: ({laterNs}) => laterNs, text: ({laterNs}) => optionalTime(laterNs)},
  {
    key: 'errorPoints',
    title: 'Points off',
    value: row => row.errorPoints,
    text: row => row.errorPoints?.toFixed(1) ?? '',
  },
  {
    key: 'isInside',
    title: 'Inside',
    value: row => row.isInside,
    text: row => (row.isInside === null ? '' : row.isInside ? 'yes' : 'no'),
  },
  {key: 'laterRun', title: 'Later run', value: ({laterRun}) => laterRun},
];
