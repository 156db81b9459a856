import {say, template} from '../base/say.js';
import {systemOfTrace} from '../roofline/roofs.js';
import {stepsOf} from '../scope/steps.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {parseChange} from './changes/parse-change.js';
import {changeNotes, whatIf, type WhatIfAnswer} from './what-if.js';

/** The predicted effect of a common change. */
export interface UsualChange {
  /** The change in the syntax of the command line: `remove-sync`. */
  readonly change: string;
  /** What is different, without a full stop. */
  readonly title: string;
  /** Null if it cannot be predicted. */
  readonly predictedNs: number | null;
  readonly intervalNs: readonly [number, number] | null;
  /** What the prediction is based on, or why there is none. */
  readonly note: string;
}

/** A change, and a description of what is different. */
export interface NamedChange {
  readonly change: string;
  readonly title: string;
}

/** Titles are templates. */
const ofEveryProfile: readonly NamedChange[] = [
  {change: 'data-loader=0', title: template('The data loader is never late')},
];

const ofGpu: readonly NamedChange[] = [
  {change: 'remove-sync', title: template('No thread waits for the GPU')},
  {change: 'launch-cost=0.5', title: template('Launches cost half')},
  {change: 'fuse=*', title: template('Elementwise kernels in a row are fused')},
  {change: 'attention=fused', title: template('Attention is fused')},
  {change: 'precision=bf16', title: template('Products are in bfloat16')},
  {change: 'overlap-communication', title: template('Communication is hidden behind computation')},
  {change: 'balanced-ranks', title: template('No rank waits for another')},
];

const said = (changes: readonly NamedChange[]): NamedChange[] =>
  changes.map(({change, title}) => ({change, title: say(title)}));

/** Returns the changes that need only a profile; for a profile without GPU work, only those of the CPU. */
export function usualChanges(trace: Trace): NamedChange[] {
  if (trace.gpuOperations.length === 0) return said(ofEveryProfile);
  const own = systemOfTrace(trace)?.preset.id ?? null;
  const others = own === null ? [] : ['h100', 'b200'].filter(id => id !== own);
  return [
    ...said(ofEveryProfile),
    ...said(ofGpu),
    ...(stepsOf(trace).length > 0 ? [{change: 'graph=ProfilerStep', title: say('Each step is one CUDA graph')}] : []),
    ...others.map(id => ({change: `gpu=${id}`, title: say('The GPU is another one: {0}', id.toUpperCase())})),
  ];
}

/** Returns the predicted effect of one of the usual changes. @throws TraceError `selection/no-match` */
export function usualChange(
  trace: Trace,
  step: number | null,
  {change: text, title}: NamedChange,
  shapes: OperatorShapes | null = null,
): UsualChange {
  const change = parseChange(text);
  if (typeof change === 'string') throw new RangeError(change);
  const {predictedNs, intervalNs, notes} = whatIf(trace, step, [change], shapes);
  return {change: text, title, predictedNs, intervalNs, note: ownNote(text, notes)};
}

/** Returns the notes about a change, without its name at the beginning. */
function ownNote(change: string, notes: readonly TraceNote[]): string {
  const note = notes.find(({code}) => Object.hasOwn(changeNotes, code));
  if (!note) return notes.at(0)?.text ?? '';
  // No name has this character, so it marks where the rest of the sentence begins.
  const [start] = say(changeNotes[note.code], change, '\0').split('\0');
  const rest = note.text.slice(start.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** The predicted time of a step on a GPU that is not present. */
export interface SystemPrediction extends Pick<WhatIfAnswer, 'predictedNs' | 'intervalNs'> {
  readonly system: string;
  readonly predictedGpuWorkNs: number;
  /** What the prediction is based on. */
  readonly notes: readonly string[];
}
