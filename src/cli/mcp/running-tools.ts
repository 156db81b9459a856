import {checkAllowed, RefusedError, type Limits} from './confined.js';
import {isOn, optionalText, positiveOf, textOf, textsOf, type ToolInput} from './input.js';
import {text, type Tool} from './tool.js';

/** Further words of a label would hide others in a list of runs. */
const longestClient = 40;

const command = {
  type: 'array',
  items: {type: 'string', minLength: 1},
  minItems: 1,
  description: 'The program and its arguments, one text each: ["python", "train.py"]',
};

/** The tools that run a program of the person's. Their runs are listed among the others, labelled. */
export const runningTools: readonly Tool[] = [
  {
    name: 'profile',
    title: 'Run and record',
    description:
      'Runs a command unmodified, records three of its training steps, and returns the paths of the profiles, with notes. The profiler slows the steps down: do not claim a speed-up from its times.',
    properties: {
      command,
      stack: {type: 'boolean', description: 'Also record Python functions; costs time'},
      lines: {type: 'boolean', description: 'Also record one step in which every call of torch has its line'},
    },
    required: ['command'],
    runs: true,
    arguments: (input, limits) => [
      ...['profile', '--format=json', '--exit-code=own', label(limits), ...interpreter(limits)],
      ...(isOn(input, 'stack') ? ['--stack'] : []),
      ...(isOn(input, 'lines') ? ['--lines'] : []),
      ...['--', ...commandOf(input, limits)],
    ],
  },
  {
    name: 'prove',
    title: 'Prove a speed-up',
    description:
      'Runs a command at two git commits in turn, without a profiler, until it can say whether the change is faster at the same work: "proven", "not proven", "worse" or "not the same work", with reasons. Commit the change first. Claim nothing that is not proven. It takes minutes.',
    properties: {
      ...{base: text('A git commit'), changed: text('A git commit'), command},
      same: text('module:function of the base that returns what must be the same within the tolerance'),
      tolerance: {type: 'number', exclusiveMinimum: 0, description: 'A part of the largest number; 0.001 without it'},
      budgetSeconds: {type: 'number', exclusiveMinimum: 0, description: '300 without it'},
    },
    required: ['base', 'changed', 'command'],
    runs: true,
    arguments: (input: ToolInput, limits: Limits): readonly string[] => {
      const same = optionalText(input, 'same');
      const [tolerance, budget] = [positiveOf(input, 'tolerance'), positiveOf(input, 'budgetSeconds')];
      return [
        ...['prove', '--format=json', label(limits), ...interpreter(limits)],
        ...(same === null ? [] : [`--same=${same}`]),
        ...(tolerance === null ? [] : [`--tolerance=${String(tolerance)}`]),
        ...(budget === null ? [] : [`--budget=${String(budget)}`]),
        ...['--', textOf(input, 'base'), textOf(input, 'changed'), ...commandOf(input, limits)],
      ];
    },
  },
];

/** What marks a run as one that no person started. A client's name is a stranger's text. */
function label({client}: Limits): string {
  const name = client.replace(/[^\p{L}\p{N}._-]+/gu, ' ').trim();
  return `--label=agent${name === '' ? '' : `: ${name.slice(0, longestClient)}`}`;
}

function interpreter({python}: Limits): readonly string[] {
  return python === null ? [] : [`--python=${python}`];
}

function commandOf(input: ToolInput, limits: Limits): readonly string[] {
  const words = textsOf(input, 'command');
  if (words.length === 0) throw new RefusedError('"command" is the program and its arguments.');
  checkAllowed(limits, words);
  return words;
}
