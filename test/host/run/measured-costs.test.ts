import {expect, it, vi} from 'vitest';

/** What the command makes when it is loaded. */
class Icon {
  constructor(readonly id: string) {}
}
const workspace = '/home/a';
vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  ThemeIcon: Icon,
  workspace: {asRelativePath: (path: string) => (path.startsWith(workspace) ? path.slice(workspace.length + 1) : path)},
}));
const {CostMemory, measuredName} = await import('../../../src/host/run/measured-costs.js');
const {costText} = await import('../../../src/host/commands/choose-recording.js');

/** What VS Code keeps for a workspace, as JSON. */
function memento(kept?: unknown) {
  let state = kept;
  return {
    get: () => state,
    update: (_: string, value: unknown) => {
      state = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  } as never;
}

const steps = (shapesNs: number) => ({
  plainNs: [100, 100, 100],
  noneNs: [100, 100, 100],
  options: {shapes: [shapesNs, shapesNs, shapesNs]},
});

it('CostMemory keeps what was measured last of each script, and gives that of the one that is asked for', async () => {
  const costs = new CostMemory(memento());
  expect(costs.of(['train.py'])).toBeNull();
  await costs.keep('train.py', steps(120));
  await costs.keep('eval.py', steps(150));
  expect(costs.of(['train.py'])).toMatchObject({name: 'train.py', costs: [{option: 'shapes', percent: 20}]});
  expect(costs.of(['other.py', 'train.py'])?.name).toBe('train.py');
  // Of a script that was not measured: what another one told, by its name.
  expect(costs.of(['other.py'])?.name).toBe('eval.py');
  await costs.keep('train.py', steps(130));
  expect(costs.of(['train.py'])?.costs[0]?.percent).toBe(30);
});

it('CostMemory passes over what is not of its form', () => {
  expect(new CostMemory(memento('nonsense')).of([])).toBeNull();
  expect(new CostMemory(memento([{name: 3, steps: steps(1)}, {name: 'a', steps: {}}, null])).of(['a'])).toBeNull();
});

it('costText(measured, option) says what was measured, on what, or that nothing was', async () => {
  const costs = new CostMemory(memento());
  expect(costText(costs.of([]), 'shapes')).toBe('what it costs is not measured');
  await costs.keep('train.py', steps(120));
  expect(costText(costs.of([]), 'shapes')).toBe('+20 % (±0) of a step, measured on train.py');
  expect(costText(costs.of([]), 'stacks')).toBe('what it costs is not measured');
});

it.each([
  [{script: '/home/a/one/train.py', cwd: '/home/a/one'}, 'one/train.py'],
  [{script: 'two/train.py'}, 'two/train.py'],
  [{script: 'train.py', cwd: '${workspaceFolder}/two'}, 'two/train.py'],
  [{command: 'python', args: ['train.py', '3'], cwd: '/home/a/one'}, 'one/train.py'],
  [{command: 'torchrun', args: ['one/train.py', '--plan', 'other.py']}, 'one/train.py'],
  [{script: '/elsewhere/train.py'}, '/elsewhere/train.py'],
  [{module: 'pkg.train'}, 'pkg.train'],
  [{command: './bench'}, 'bench'],
])('measuredName(%j) is %s', (definition, name) => {
  const folder = {uri: {fsPath: workspace}, name: 'a', index: 0} as never;
  expect(measuredName({type: 'gpu-lens', ...definition}, folder)).toBe(name);
});
