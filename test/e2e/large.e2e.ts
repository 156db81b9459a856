import {gzipSync} from 'node:zlib';
import {beforeAll, expect, it} from 'vitest';
import {kineto} from '../support/kineto-events.js';
import {Workbench} from './support/workbench.js';

const blanks = gzipSync(Buffer.alloc(64 << 20, ' '));
/** One event, and a few MB that stand for 16 GB of blanks: it takes a while to open, however fast the machine. */
const endless = Buffer.concat([
  gzipSync(JSON.stringify([kineto.range('step', 0, 10)]).replace(']', '')),
  ...Array.from({length: 250}, () => blanks),
]);

let workbench: Workbench;
beforeAll(async () => {
  workbench = await Workbench.start({files: {'notes.txt': 'Notes\n', 'endless.json.gz': endless}});
  await workbench.openFile('notes.txt');
});

it('a large trace stops opening soon after a click on "Cancel"', async () => {
  await workbench.command('GPU Lens: Open Profile', 'endless.json.gz');
  const opening = workbench.notification('Opening endless.json.gz');
  await opening.waitFor();
  const cancel = opening.getByText('Cancel');
  await cancel.hover();
  const clickedAtMs = performance.now();
  await workbench.page.mouse.down();
  await workbench.page.mouse.up();
  await opening.waitFor({state: 'detached'});
  expect(performance.now() - clickedAtMs).toBeLessThan(10_000);
  expect(await workbench.page.locator('.statusbar-item', {hasText: 'endless.json.gz · '}).count()).toBe(0);
});
