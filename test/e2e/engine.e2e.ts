import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {Workbench} from './support/workbench.js';

const small = 'small.pt.trace.json';
const large = 'large.pt.trace.json';

/** What ends an engine, and the sentence that follows. */
const ends = [
  {what: 'is killed', signal: 'SIGKILL', sentence: /The engine was killed/},
  {what: 'takes too much memory', signal: 'SIGTERM', sentence: /GPU Lens ran out of memory/},
] as const;

describe('an engine that comes to harm', () => {
  let workbench: Workbench;

  beforeAll(async () => {
    const events = [kineto.range('train_step', 0, 100), kineto.call(9, 20, 5), kineto.kernel(9, 30, 40)];
    workbench = await Workbench.start({files: {[small]: kinetoText(events)}});
    writeLargeTrace(join(workbench.workspace, large), 50e6);
    await workbench.openFile(small);
    await workbench.command('GPU Lens: Show Tables');
  });

  /** The rows of the tables, which the engine is asked for whenever the tab changes. */
  const shows = async (tab: string, row: string) => {
    const tables = await workbench.webview('GPU Tables');
    await tables.getByRole('tab', {name: tab, exact: true}).click();
    await tables.locator('.row', {hasText: row}).first().waitFor();
  };

  it.each(ends)(
    'that $what is told of in one sentence, and the next question is answered',
    async ({signal, sentence}) => {
      await shows('Ranges', 'train_step');
      const pid = await workbench.enginePid();
      process.kill(pid, signal);
      await workbench.notification(sentence).waitFor();
      await workbench.command('Notifications: Clear All Notifications');
      await shows('Kernels', 'gemm');
      expect(await workbench.enginePid()).not.toBe(pid);
    },
  );

  it('that hangs is ended soon after a cancel, and opens the profile when it is asked again', async () => {
    const pid = await workbench.enginePid();
    process.kill(pid, 'SIGSTOP');
    await workbench.openFile(large);
    const timeline = await workbench.webview('GPU Timeline');
    await timeline.getByText('Cancel', {exact: true}).click();
    await workbench.notification(/The engine stopped responding/).waitFor();
    await workbench.command('Notifications: Clear All Notifications');
    await timeline.getByText('Try again').click();
    await timeline.locator('canvas').waitFor();
    expect(await workbench.enginePid()).not.toBe(pid);
  });
});
