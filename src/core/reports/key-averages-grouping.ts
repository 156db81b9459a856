/** What tells rows of `key_averages` apart besides the name, and whether Python frames have rows of their own. */
export interface KeyAverageGrouping {
  readonly hasInputShapes: boolean;
  /** How many Python frames around an event tell rows apart; 0 for none. */
  readonly frames: number;
  readonly hasPython: boolean;
}

const inputShapeWord = 'group_by_input_shape';
const pythonWord = 'python';

/** The option that a number follows: `group_by_stack_n=5`. PyTorch calls it so. */
export const stackWord = 'group_by_stack_n';

/** The other options that group rows, or add some. */
export const groupingWords: readonly string[] = [inputShapeWord, pythonWord];

/** What the options of the report ask for. */
export function groupingOf(options: readonly string[]): KeyAverageGrouping {
  const stack = options.findLast(option => option.startsWith(`${stackWord}=`));
  return {
    hasInputShapes: options.includes(inputShapeWord),
    frames: stack === undefined ? 0 : Number(stack.slice(stackWord.length + 1)),
    hasPython: options.includes(pythonWord),
  };
}

/** What stands between two frames of a row: names of frames do not hold it, as in PyTorch's own files. */
export const frameSeparator = ';';

/** The frames of a row as one text. */
export function framesText(frames: readonly string[]): string {
  return frames.map(frame => frame.replaceAll(frameSeparator, '_')).join(frameSeparator);
}
