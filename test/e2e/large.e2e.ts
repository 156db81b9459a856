import {beforeAll, expect, it} from 'vitest';
import {endlessTrace} from '../support/endless-trace.js';
import {kineto} from '../support/kineto-events.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const steps = Array.from({length: 40}, (_, step) => kineto.range(`step ${String(step)}`, step * 100, 60));

let workbench: Workbench;
beforeAll(async () => {
  workbench = await Workbench.start({
    files: {
      'notes.txt': 'Notes\n',
      'endless.json.gz': endlessTrace([kineto.range('step', 0, 10)]),
      'growing.pt.trace.json.gz': endlessTrace(steps),
    },
  });
  await workbench.openFile('notes.txt');
});

it('a large trace stops opening soon after a click on "Cancel"', async () => {
  await workbench.command('GPU Lens: Open Profile', 'endless.json.gz');
  const opening = workbench.notification('Opening endless.json.gz');
  await opening.waitFor();
  await opening.getByText('Cancel').click();
  // Reading all of it takes minutes.
  await opening.waitFor({state: 'detached', timeout: 60_000});
  expect(await openedProfile(workbench.page, 'endless.json.gz · ').count()).toBe(0);
});

it('a large trace is drawn while it is read: it can be zoomed, says how far it is, and ends on "Cancel"', async () => {
  await workbench.openFile('growing.pt.trace.json.gz');
  const timeline = await workbench.webview('GPU Timeline');
  const reading = timeline.getByTestId('reading');
  await reading.filter({hasText: 'so far'}).waitFor();
  const inSight = timeline.getByTestId('window');
  await expect.poll(() => inSight.textContent()).toContain('3.960 ms');
  await workbench.screenshot('large-growing');
  await timeline.locator('canvas').click();
  await workbench.page.keyboard.press('w');
  await expect.poll(() => inSight.textContent()).not.toContain('3.960 ms');
  // Nothing can be asked of it yet.
  expect(await timeline.getByTitle('Search (/)').isVisible()).toBe(false);
  await timeline.locator('.reading vscode-button').click();
  await reading.waitFor({state: 'detached'});
  await expect.poll(() => timeline.locator('.message').textContent()).toContain('Opening was cancelled.');
  await workbench.screenshot('large-growing-cancelled');
});
