import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {UsageError, type Command, type CommandContext} from '../../src/cli/command.js';
import {ownCommands} from '../../src/cli/own-commands.js';
import {requireProcessOf} from '../../src/cli/selection.js';
import {temporaryFolder} from '../support/project.js';
import {traceFromText} from '../support/trace-from-text.js';
import {writeTwoKernels} from '../support/two-kernels.js';

/** Options that take any text: paths, names, and what only the profile can tell. */
const takesAnyText: Readonly<Record<string, readonly string[]>> = {
  every: ['output', 'name', 'label', 'python', 'root', 'source', 'filter-nvtx'],
  ranges: ['domain', 'unfold'],
  stats: ['domain', 'unfold'],
  flame: ['focus'],
  export: ['focus'],
  findings: ['rules'],
  report: ['questions'],
  memory: ['diff', 'config'],
  mcp: ['allow-run'],
  profile: ['nsys-options', 'launch-template', 'messages'],
  'cross-check': ['nsys-options', 'launch-template', 'messages'],
  estimate: ['config', 'calibrate'],
};
/** `--capture` names a profile in all commands but those that record. */
const namesCapture = ['info', 'ranges', 'stats', 'flame', 'compare', 'findings', 'export', 'query'];

const folder = temporaryFolder();
const trace = writeTwoKernels(folder);

/** The arguments and further options that each command needs. */
const needed: Readonly<
  Record<string, readonly [files: readonly string[], options?: Readonly<Record<string, string>>]>
> = {
  compare: [[trace, trace]],
  runs: [[]],
  report: [[trace], {output: join(folder, 'report.md')}],
  export: [[trace], {to: 'perfetto', output: join(folder, 'out.json')}],
  query: [[trace, 'select 1']],
  mcp: [[]],
  doctor: [[]],
  estimate: [[], {model: 'gpt2-xl', system: 'h100'}],
  prove: [['base', 'changed', 'true']],
  profile: [['true']],
  'cross-check': [['true']],
  trigger: [['1']],
};

const cases = ownCommands.flatMap(command => {
  const free = [...(takesAnyText['every'] ?? []), ...(takesAnyText[command.name] ?? [])];
  if (namesCapture.includes(command.name)) free.push('capture');
  const options = Object.entries(command.options).filter(([name, {type}]) => type === 'string' && !free.includes(name));
  return options.map(([option]) => [command.name, option, command] as const);
});

describe('a value that makes no sense is wrong usage', () => {
  it.each(cases)('gpu-lens %s --%s nonsense', async (_, option, command) => {
    await expect(runWith(command, option, 'nonsense')).rejects.toBeInstanceOf(UsageError);
  });

  it('is so of every number, list and word', () => {
    expect(cases.length).toBeGreaterThan(150);
  });

  it('--process takes a text only where a process of the profile is called so', () => {
    const found = {...traceFromText('stream 7 A'), processes: [{pid: 'rank 0', name: 'python'}]};
    expect(() => {
      requireProcessOf(found, {process: 'rank 0'});
    }).not.toThrow();
    expect(() => {
      requireProcessOf(found, {process: 'rank 1'});
    }).toThrow('--process takes a whole number, not "rank 1".');
  });

  it('gpu-lens runs --prune "" deletes nothing', async () => {
    const runs = ownCommands.find(({name}) => name === 'runs');
    await expect(runs && runWith(runs, 'prune', '')).rejects.toThrow('--prune takes a number of MB, not "".');
  });
});

/** Runs a command in this process, with one option more than it needs. */
async function runWith(command: Command, option: string, value: string): Promise<void> {
  const [files, options] = needed[command.name] ?? [[trace]];
  await command.run(silent, files, {...options, [option]: value});
}

const ignore = () => undefined;
const silent: CommandContext = {
  ...{format: 'table', write: ignore, tell: ignore, tellNote: ignore, tellProgress: ignore, exitWith: ignore},
};
