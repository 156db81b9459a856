import {systemOfTrace} from '../roofline/roofs.js';
import {stepsOf} from '../scope/steps.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {parseChange} from './changes/parse-change.js';
import {whatIf, type WhatIfAnswer} from './what-if.js';

/** What a change that anybody may ask about would bring. */
export interface UsualChange {
  /** As the command line takes it: `remove-sync`. */
  readonly change: string;
  /** What is different, without a full stop. */
  readonly title: string;
  /** Null where it cannot be told. */
  readonly predictedNs: number | null;
  readonly intervalNs: readonly [number, number] | null;
  /** What the prediction rests on, or why there is none. */
  readonly note: string;
}

/** A change, and what is different then. */
export interface NamedChange {
  readonly change: string;
  readonly title: string;
}

const ofEveryProfile: readonly NamedChange[] = [{change: 'data-loader=0', title: 'The data loader is never late'}];

const ofGpu: readonly NamedChange[] = [
  {change: 'remove-sync', title: 'No thread waits for the GPU'},
  {change: 'launch-cost=0.5', title: 'Launches cost half'},
  {change: 'fuse=*', title: 'Elementwise kernels in a row are fused'},
  {change: 'attention=fused', title: 'Attention is fused'},
  {change: 'precision=bf16', title: 'Products are in bfloat16'},
  {change: 'overlap-communication', title: 'Communication is hidden behind computation'},
  {change: 'balanced-ranks', title: 'No rank waits for another'},
];

/** The changes that need nothing but a profile; of one without GPU work those of the CPU alone. */
export function usualChanges(trace: Trace): NamedChange[] {
  if (trace.gpuOperations.length === 0) return [...ofEveryProfile];
  const own = systemOfTrace(trace)?.preset.id ?? null;
  const others = own === null ? [] : ['h100', 'b200'].filter(id => id !== own);
  return [
    ...ofEveryProfile,
    ...ofGpu,
    ...(stepsOf(trace).length > 0 ? [{change: 'graph=ProfilerStep', title: 'Each step is one CUDA graph'}] : []),
    ...others.map(id => ({change: `gpu=${id}`, title: `The GPU is another one: ${id}`})),
  ];
}

/** What one of the usual changes would bring. @throws TraceError `selection/no-match` */
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

/** What the notes say of a change, without its name in front. */
function ownNote(change: string, notes: readonly TraceNote[]): string {
  const text = notes.find(({code}) => code.startsWith('what-if/'))?.text ?? notes.at(0)?.text ?? '';
  const said = [`${change}: `, `${change} cannot be predicted: `].find(start => text.startsWith(start)) ?? '';
  const rest = text.slice(said.length);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** What a step would take on a GPU that is not there. */
export interface SystemPrediction extends Pick<WhatIfAnswer, 'predictedNs' | 'intervalNs'> {
  readonly system: string;
  readonly predictedGpuWorkNs: number;
  /** What the prediction rests on. */
  readonly notes: readonly string[];
}
