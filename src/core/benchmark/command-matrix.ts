/**
 * A list inside an argument: `{1,2,4}`. JSON in an argument has quotes or colons, and is none. Its first comma is found
 * in one way alone, so that a text is gone through once.
 */
const list = /\{([^{}\s"':,]*,[^{}\s"':]*)\}/;

/** How many commands a command with lists stands for; at most Infinity. They are not made. */
export function commandCount(command: readonly string[]): number {
  const lists = command.flatMap(argument => argument.match(new RegExp(list, 'g')) ?? []);
  return lists.reduce((product, text) => product * text.split(',').length, 1);
}

/**
 * Every command that a command with lists stands for, the last list varying fastest, each with a label of what it has
 * of each list: `--batch-size 2 --model-parallel-size 1`.
 */
export function expandCommand(
  command: readonly string[],
): {readonly args: readonly string[]; readonly label: string}[] {
  let commands: {args: string[]; labels: string[]}[] = [{args: [], labels: []}];
  for (const [at, argument] of command.entries()) {
    const option = command[at - 1]?.startsWith('-') ? `${command[at - 1] ?? ''} ` : '';
    const values = expandArgument(argument);
    commands = commands.flatMap(({args, labels}) =>
      values.map(value => ({
        args: [...args, value],
        labels: values.length > 1 ? [...labels, `${option}${value}`] : labels,
      })),
    );
  }
  return commands.map(({args, labels}) => ({args, label: labels.join(' ')}));
}

/** The texts that one argument stands for; itself where it has no list. */
function expandArgument(argument: string): string[] {
  const match = list.exec(argument);
  if (!match) return [argument];
  const [whole, values = ''] = match;
  const before = argument.slice(0, match.index);
  const after = argument.slice(match.index + whole.length);
  return values.split(',').flatMap(value => expandArgument(after).map(rest => `${before}${value}${rest}`));
}
