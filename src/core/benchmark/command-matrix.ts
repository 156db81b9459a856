/**
 * A list inside an argument: `{1,2,4}`. JSON in an argument has quotes or colons, so it is not a list. The pattern
 * matches the first comma in only one way, so a text is scanned once.
 */
const list = /\{([^{}\s"':,]*,[^{}\s"':]*)\}/;

/** Returns how many commands a command with lists expands to, possibly Infinity, without creating them. */
export function commandCount(command: readonly string[]): number {
  const lists = command.flatMap(argument => argument.match(new RegExp(list, 'g')) ?? []);
  return lists.reduce((product, text) => product * text.split(',').length, 1);
}

/**
 * Returns every expansion of a command with lists, the last list varying fastest, each with a label of its values:
 * `--batch-size 2 --model-parallel-size 1`.
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

/** Returns the expansions of one argument; only itself if it has no list. */
function expandArgument(argument: string): string[] {
  const match = list.exec(argument);
  if (!match) return [argument];
  const [whole, values = ''] = match;
  const before = argument.slice(0, match.index);
  const after = argument.slice(match.index + whole.length);
  return values.split(',').flatMap(value => expandArgument(after).map(rest => `${before}${value}${rest}`));
}
