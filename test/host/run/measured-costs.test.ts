import {expect, it, vi} from 'vitest';

/** What the command makes when it is loaded. */
class Icon {
  constructor(readonly id: string) {}
}
vi.mock('vscode', () => ({ThemeIcon: Icon}));
const {CostMemory} = await import('../../../src/host/run/measured-costs.js');
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
  plainNs: [100, 100],
  noneNs: [100, 100],
  options: {shapes: [shapesNs, shapesNs]},
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
