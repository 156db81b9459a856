import {readFileSync, symlinkSync, utimesSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {root} from '../../scripts/lib/run.mjs';
import {endlessTrace} from '../support/endless-trace.js';
import {kineto} from '../support/kineto-events.js';
import {writeLargeTrace} from '../support/large-trace.js';
import {patience} from '../support/patience.js';
import {openedProfile} from './support/opened-profile.js';
import {percentile, watchTyping, type Latencies} from './support/typing.js';
import {Workbench} from './support/workbench.js';

/** A large trace to open instead of the made one. */
const given = process.env['GPU_LENS_LARGE_TRACE'];
/** So large that some keys are pressed while it opens, on a busy machine, too. */
const madeBytes = 400e6;

/** What the probe writes: see fixtures/event-loop-probe. */
interface Probe {
  readonly ownMs: number;
  readonly longestOwnTurnMs: number;
  /** Functions, ours outermost. */
  readonly longestStack: readonly string[];
  readonly loopDelayMs: {readonly median: number; readonly p99: number; readonly most: number};
  readonly seconds: number;
}

describe('a large trace', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'notes.txt': 'Notes\n', 'endless.json.gz': endlessTrace([kineto.range('step', 0, 10)])},
      // VS Code reads its extensions when a server starts.
      ownServer: {extensions: [join(root, 'test', 'e2e', 'fixtures', 'event-loop-probe')]},
    });
    const path = join(workbench.workspace, 'large.json');
    if (given === undefined) writeLargeTrace(path, madeBytes);
    else symlinkSync(given, path);
    await workbench.openFile('notes.txt');
  });

  const opening = (name: string) => workbench.notification(`Opening ${name}`);
  const opened = (name: string) => openedProfile(workbench.page, `${name} · `);
  const open = async (name: string) => {
    await workbench.command('GPU Lens: Open Profile', name);
  };

  it.each(given === undefined ? ['endless.json.gz'] : ['endless.json.gz', 'large.json'])(
    'stops opening %s soon after a click on "Cancel"',
    async name => {
      await open(name);
      await opening(name).waitFor();
      const cancel = opening(name).getByText('Cancel');
      await cancel.hover();
      const clickedAtMs = performance.now();
      await workbench.page.mouse.down();
      await workbench.page.mouse.up();
      await opening(name).waitFor({state: 'detached'});
      const tookMs = performance.now() - clickedAtMs;
      tell(`Cancel: the message for ${name} was gone ${tookMs.toFixed(0)} ms after the click.`);
      expect(tookMs).toBeLessThan(10_000);
      expect(await opened(name).count()).toBe(0);
    },
  );

  it('opens with progress while keys appear in an editor at once, and the extension host is free', async () => {
    // Whatever was opened before, by a first try of this test: it is read as if for the first time.
    if ((await opened('large.json').count()) > 0) await workbench.command('GPU Lens: Close Profile');
    if (given === undefined) utimesSync(join(workbench.workspace, 'large.json'), new Date(), new Date());
    await workbench.openFile('notes.txt');
    const typed = await watchTyping(workbench.page);
    await workbench.page.locator('.editor-instance .view-lines').click();
    await typeUntil(Date.now() + 3000);
    const before = await typed();

    await workbench.command('Event Loop Probe: Start');
    const stages = new Set<string>();
    await open('large.json');
    const startedAtMs = Date.now();
    await workbench.page.locator('.editor-instance .view-lines').click();
    const during = await watchTyping(workbench.page);
    const isOpen = async () => {
      const texts = await opening('large.json').allTextContents();
      for (const text of texts) stages.add(/[\d,]+ events/.exec(text)?.[0] ?? '');
      return (await opened('large.json').count()) > 0;
    };
    while (!(await isOpen())) await workbench.page.keyboard.type('xxx');
    const openedMs = Date.now() - startedAtMs;
    const latencies = await during();
    await workbench.screenshot('large-open');
    await workbench.command('Event Loop Probe: Stop');
    const probe = await readProbe();

    tell(
      `Opened within ${(openedMs / 1000).toFixed(1)} s; ${String(stages.size)} different counts of events were shown.`,
    );
    tell(`Keys before: ${described(before)}; while it opened: ${described(latencies)}.`);
    tell(
      `GPU Lens in the extension host: ${probe.ownMs.toFixed(0)} ms of ${probe.seconds.toFixed(1)} s, longest turn ${probe.longestOwnTurnMs.toFixed(1)} ms (${probe.longestStack.join(' > ')}); ` +
        `event loop delay of the whole host: ${probe.loopDelayMs.median.toFixed(1)} ms median, ${probe.loopDelayMs.p99.toFixed(1)} ms p99, ${probe.loopDelayMs.most.toFixed(0)} ms at most.`,
    );
    expect(stages.size).toBeGreaterThan(given === undefined ? 0 : 10);
    expect(latencies.length).toBeGreaterThan(3);
    expect(percentile(latencies, 95)).toBeLessThan(1000);
    // 16 ms are a frame; a machine that has other work to do takes the core away in between.
    expect(probe.longestOwnTurnMs).toBeLessThan(250);
  });

  async function typeUntil(endMs: number): Promise<void> {
    while (Date.now() < endMs) await workbench.page.keyboard.press('x', {delay: 30});
  }

  async function readProbe(): Promise<Probe> {
    const path = join(workbench.workspace, 'probe.json');
    const read = () => JSON.parse(readFileSync(path, 'utf8')) as Probe;
    await expect
      .poll(
        () =>
          Promise.resolve()
            .then(read)
            .catch(() => null),
        patience,
      )
      .not.toBeNull();
    return read();
  }
});

function described(latencies: Latencies): string {
  const ms = (percent: number) => percentile(latencies, percent).toFixed(0);
  return `${String(latencies.length)} keys, ${ms(50)} ms median, ${ms(95)} ms p95, ${ms(100)} ms at most`;
}

/** A figure for docs/performance.md. */
function tell(text: string): void {
  process.stdout.write(`${text}\n`);
}
