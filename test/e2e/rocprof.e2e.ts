import {gzipSync} from 'node:zlib';
import {beforeAll, describe, expect, it} from 'vitest';
import {rocprofText} from '../support/rocprof-records.js';
import {Workbench} from './support/workbench.js';

describe('profiles of rocprofv3', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'4711_results.json': rocprofText(), 'packed_results.json.gz': gzipSync(rocprofText())},
    });
  });

  it('open as a timeline with their GPU and figures by the button that their beginning brings', async () => {
    await workbench.openFile('packed_results.json.gz');
    await workbench.clickEditorButton('Open in GPU Lens');
    const timeline = await workbench.webview('GPU Timeline');
    await expect.poll(() => timeline.locator('.bar').textContent()).toContain('GPU busy 2.80 µs');
    await workbench.screenshot('rocprof-timeline');
  });

  it('open through "Open Profile…" where their name could be that of any JSON', async () => {
    await workbench.command('GPU Lens: Open Profile', '4711_results.json');
    await workbench.page.locator('.statusbar-item', {hasText: '4711_results.json · GPU work 2.80 µs'}).waitFor();
  });
});
