import {RefusedError} from './confined.js';

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {readonly name: string; readonly description: string; readonly required: boolean}[];
  /** @param of the arguments, quoted */
  readonly text: (of: Readonly<Record<string, string>>) => string;
}

const argument = (name: string, description: string) => ({name, description, required: true});
const commandArgument = argument('command', 'What trains, as you type it: python train.py');

/** The common jobs. */
export const prompts: readonly Prompt[] = [
  {
    name: 'optimise',
    title: 'Make a training step faster',
    description: 'Finds what costs most, changes one thing, and proves the change',
    arguments: [commandArgument],
    text: ({command}) => `Make the training step of this command faster: ${command ?? ''}

1. Call profile with the command. Call findings, then lines, on the first profile.
2. Choose the one change with the most to gain. Where lines show little, profile again with stack, and call lines with functions.
3. Make the change, and commit it alone. Keep steps, shapes, data types, seeds and results as they are.
4. Call prove with the commit before, the commit of the change and the command. If results differ in their last digits only, name a function with same.
5. Not proven: say so with the reasons, and undo the change. Proven: report deltaPercent with intervalPercent, and go on from 1.`,
  },
  {
    name: 'explain',
    title: 'Explain where the time goes',
    description: 'Reads a profile and says what costs most, with figures',
    arguments: [argument('file', 'Path of the profile')],
    text: ({file}) => `Explain where the time of this profile goes: ${file ?? ''}

Call open, then findings, summary and lines. Name the three largest costs with their figures, units, files and lines. Say which figure it is (GPU work, GPU busy, CPU wall), and what the notes say is missing. Where a line's source is "edited", say that its figures are of an earlier text. Mark what whatif predicts as predicted.`,
  },
  {
    name: 'check-claim',
    title: 'Check that a change is faster',
    description: 'Proves or refuses a claimed speed-up between two commits',
    arguments: [argument('base', 'A git commit'), argument('changed', 'A git commit'), commandArgument],
    text: ({
      base,
      changed,
      command,
    }) => `Is the commit ${changed ?? ''} faster than ${base ?? ''} at the same work? The command: ${command ?? ''}

Call prove. Report its verdict in its own words, deltaPercent with intervalPercent, and each reason. Do not call a change faster whose verdict is not "proven", whatever the script itself prints.`,
  },
];

/** A prompt as a list shows it. */
export function listed({
  name,
  title,
  description,
  arguments: of,
}: Prompt): Omit<Prompt, 'text' | 'arguments'> & {arguments: {name: string; description: string; required: boolean}[]} {
  return {name, title, description, arguments: [...of]};
}

/** As the SDK takes it: an interface would have no index. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
type PromptMessages = {
  description: string;
  messages: {role: 'user'; content: {type: 'text'; text: string}}[];
};

/** Returns the message of a prompt. Arguments stand in it as quoted data. @throws RefusedError */
export function promptOf(name: string, input: Readonly<Record<string, string>>): PromptMessages {
  const prompt = prompts.find(candidate => candidate.name === name);
  if (!prompt) throw new RefusedError('There is no such prompt.');
  const of: Record<string, string> = {};
  for (const {name: key} of prompt.arguments) {
    const value = input[key];
    if (value === undefined || value === '') throw new RefusedError(`The prompt needs "${key}".`);
    of[key] = JSON.stringify(value.slice(0, 1000));
  }
  const content = {type: 'text' as const, text: prompt.text(of)};
  return {description: prompt.description, messages: [{role: 'user' as const, content}]};
}
