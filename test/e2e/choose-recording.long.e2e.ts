import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, inject, it} from 'vitest';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const training = `import torch

net = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(torch.randn(32, 64)).sum().backward()
    optimizer.step()
`;

it('measures what shapes, stacks and memory cost, tells it beside them, and records what is chosen', async () => {
  const workbench = await Workbench.start({
    files: {'train.py': training},
    settings: {'gpuLens.python': inject('python')},
  });
  const {page} = workbench;
  const rows = page.locator('.quick-input-list .monaco-list-row');
  const texts = async () => {
    await workbench.command('GPU Lens: Choose What to Record');
    await rows.filter({hasText: 'Python stacks'}).waitFor();
    return rows.allTextContents();
  };
  await workbench.openFile('train.py');
  const before = await texts();
  expect(before).toHaveLength(3);
  for (const text of before) expect(text).toContain('what it costs is not measured');
  await workbench.screenshot('choose-recording-unmeasured');
  // The mouse lies on the input, whose hover would cover the button.
  await page.mouse.move(700, 700);
  await page.locator('.quick-input-titlebar .codicon-watch').click();
  await openedProfile(page, 'train.pt.trace.json.gz').waitFor();
  const after = await texts();
  // How busy the machine is decides how much can be told.
  const cost =
    /([+−]\d+(\.\d)? % \(±\d+(\.\d)?\) of a step|not measurable( \(±\d+(\.\d)? % of a step\))?), measured on train\.py/;
  for (const text of after) expect(text).toMatch(cost);
  await workbench.screenshot('choose-recording');
  await rows.filter({hasText: 'Allocations of memory'}).locator('.quick-input-list-label').click();
  await page.locator('.quick-input-widget .monaco-button', {hasText: 'OK'}).click();
  const settings = () => readFileSync(join(workbench.workspace, '.vscode', 'settings.json'), 'utf8');
  // What was not changed is not written.
  await expect.poll(() => JSON.parse(settings()) as unknown).toEqual({'gpuLens.run.recordMemory': true});
});
