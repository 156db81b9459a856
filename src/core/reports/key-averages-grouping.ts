/** What besides the name distinguishes rows of `key_averages`, and whether Python frames have rows of their own. */
export interface KeyAverageGrouping {
  readonly hasInputShapes: boolean;
  /** The number of Python frames around an event that distinguish rows; 0 for none. */
  readonly frames: number;
  readonly hasPython: boolean;
}

const inputShapeWord = 'group_by_input_shape';
const pythonWord = 'python';

/** The option with a number, as PyTorch names it: `group_by_stack_n=5`. */
export const stackWord = 'group_by_stack_n';

/** The other options that group rows or add some. */
export const groupingWords: readonly string[] = [inputShapeWord, pythonWord];

/** Returns the grouping that the report's options select. */
export function groupingOf(options: readonly string[]): KeyAverageGrouping {
  const stack = options.findLast(option => option.startsWith(`${stackWord}=`));
  return {
    hasInputShapes: options.includes(inputShapeWord),
    frames: stack === undefined ? 0 : Number(stack.slice(stackWord.length + 1)),
    hasPython: options.includes(pythonWord),
  };
}

/** Separates the frames of a row. As in PyTorch's own files, frames' names do not contain it. */
export const frameSeparator = ';';

/** Returns the frames of a row as one text. */
export function framesText(frames: readonly string[]): string {
  return frames.map(frame => frame.replaceAll(frameSeparator, '_')).join(frameSeparator);
}
