import {choiceText, kindOfSteps, type SeenLoop} from '../launch/run/seen-loop.js';
import type {ProfileResult} from '../launch/run/profile-result.js';
import type {CommandContext} from './command.js';
import {formatRows, type Column} from './report.js';

/** Writes the loops that a run has seen, those of training first, and says how to record one; returns whether all went well. */
export function tellLoops({loops = [], status, sentences}: ProfileResult, context: CommandContext): boolean {
  const sorted = loops.toSorted((a, b) => order(a) - order(b) || b.count - a.count);
  context.write(formatRows(sorted, columnsOf(sorted), context.format));
  for (const sentence of sentences) context.tell(`gpu-lens: ${sentence}`);
  const place = sorted.map(loop => choiceText(loop, sorted)).find(text => text !== null);
  if (place !== undefined) {
    context.tell(`gpu-lens: To record one of these loops, name its place: gpu-lens profile --step ${place} -- COMMAND`);
  }
  return status === 0 && loops.length > 0;
}

/** What `--list` cannot be given with: it records nothing, and sees the whole script. */
const withoutEffect = ['stop', 'idle', 'skip', 'every', 'times', 'lines', 'costs', 'paths', 'runs'] as const;

/** Returns an option that has no effect with `--list`; undefined where there is none. */
export function idleWithList(options: Readonly<Record<string, string | boolean | undefined>>): string | undefined {
  return withoutEffect.find(option => options[option] !== undefined && options[option] !== false);
}

function order({what}: SeenLoop): number {
  return what === 'train' ? 0 : 1;
}

const columnsOf = (all: readonly SeenLoop[]): readonly Column<SeenLoop>[] => [
  {key: 'steps', title: 'Steps', value: ({count}) => count},
  {key: 'kind', title: 'Kind', value: ({what}) => what, text: kindOfSteps},
  {key: 'of', title: 'Model', value: ({of}) => of},
  {key: 'file', title: 'File', value: ({file}) => file},
  {key: 'line', title: 'Line', value: ({line}) => line},
  {key: 'step', title: '--step', value: loop => choiceText(loop, all)},
];
