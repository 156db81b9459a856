import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, inject, it} from 'vitest';
import {formatDuration} from '../../src/core/format/duration.js';
import {json} from '../support/command-line.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

/** Nothing is tagged; `eager` compiles with Dynamo alone, for which no C++ compiler is needed. */
const training = `import torch

net = torch.nn.Linear(64, 64)
model = torch.compile(net, backend="eager")
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for step in range(8):
    x = torch.randn(32, 64)
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
`;

interface RegionRow {
  readonly name: string;
  readonly count: number;
  readonly cpuWallNs: number;
  readonly file: string | null;
  readonly line: number | null;
}

it('the call of a compiled model has the time of its region, without a tag, and moves with edits', async () => {
  const workbench = await Workbench.start({
    files: {'train.py': training},
    settings: {'gpuLens.python': inject('python'), 'terminal.integrated.gpuAcceleration': 'off'},
  });
  await workbench.openScript('train.py');
  await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
  await openedProfile(workbench.page, 'train.pt.trace.json.gz').waitFor();
  const runs = join(workbench.workspace, '.gpu-lens', 'runs');
  const [run = ''] = readdirSync(runs);
  const rows = json('ranges', join(runs, run, 'train.pt.trace.json.gz'), '--kinds', 'op') as RegionRow[];
  const regions = rows.filter(({name}) => name.startsWith('Torch-Compiled Region'));
  expect(regions.map(({count, file, line}) => [count, file, line])).toEqual([[3, 'train.py', 9]]);
  const perStepNs = (regions[0]?.cpuWallNs ?? NaN) / 3;
  const lenses = workbench.page.locator('.codelens-decoration', {hasText: 'compiled region'});
  const lens = () => lenses.allTextContents();
  await expect.poll(lens).toHaveLength(1);
  expect((await lens())[0]).toContain(`compiled region · CPU ${formatDuration(perStepNs)}/step · `);
  const lineBelow = async () => {
    const lensTop = (await lenses.first().boundingBox())?.y;
    const line = workbench.page.locator('.view-line', {hasText: 'loss = model(x).sum()'.replaceAll(' ', '\u00a0')});
    return ((await line.boundingBox())?.y ?? NaN) - (lensTop ?? NaN);
  };
  // Right above the call.
  await expect.poll(lineBelow).toBeGreaterThan(0);
  expect(await lineBelow()).toBeLessThan(30);
  await workbench.screenshot('compiled-call');
  await workbench.goToLine(1);
  await workbench.page.keyboard.press('Home');
  await workbench.page.keyboard.type('# one more\n# and another\n');
  await expect.poll(async () => Math.round(await lineBelow())).toBeLessThan(30);
  expect(await lineBelow()).toBeGreaterThan(0);
  expect(await lens()).toHaveLength(1);
});
