import {beforeAll, describe, expect, inject, it, vi} from 'vitest';
import {patience} from '../support/patience.js';
import {hoverOf} from './support/hover.js';
import {openedProfile} from './support/opened-profile.js';
import {Workbench} from './support/workbench.js';

const training = `import torch
from torch.profiler import record_function

net = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for step in range(8):
    with record_function("train_step"):
        with record_function("forward"):
            x = torch.randn(32, 64)
            loss = net(x).sum()
        for i in range(3):
            with record_function(f"layer_{i}"):
                x = net(x)
        with record_function("backward"):
            loss.backward()
        optimizer.step()

if step > 100:
    with record_function("never"):
        pass
`;

describe('what stands on lines', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {'train.py': training},
      settings: {
        'gpuLens.python': inject('python'),
        'terminal.integrated.gpuAcceleration': 'off',
        // Tags alone: profile-model-step.e2e.ts has the lines without.
        'gpuLens.run.automatic': 'off',
      },
    });
  });

  const lenses = async () => (await workbench.codeLenses()).filter(text => text !== 'Profile again');
  const lensOf = async (text: RegExp) => (await lenses()).filter(lens => text.test(lens));
  const press = (key: string) => workbench.page.keyboard.press(key);

  async function type(line: number, text: string): Promise<void> {
    await workbench.goToLine(line);
    await press('End');
    await workbench.page.keyboard.type(text);
  }

  /** Undoes until a text is gone: VS Code takes what was typed back by words. */
  async function undo(text: string): Promise<void> {
    // Blanks are undone by themselves, and change a line, too.
    const line = workbench.page.locator('.view-line', {hasText: 'sum()'}).first();
    const shown = async () => (await line.textContent())?.replaceAll('\u00a0', ' ') ?? '';
    const isGone = async () => {
      const before = await shown();
      if (!before.includes(text.slice(0, 1)) && before === before.trimEnd()) return true;
      await press('Control+Z');
      // The line is drawn a frame later, or more.
      await vi
        .waitUntil(async () => (await shown()) !== before, {timeout: 60_000, interval: 20})
        .catch(() => undefined);
      return false;
    };
    await vi.waitUntil(isGone, patience);
  }

  it('gives figures per step, sums the layers, and says what did not run', async () => {
    await workbench.openScript('train.py');
    await workbench.command('GPU Lens: Profile model step', 'the file in the editor');
    await openedProfile(workbench.page, 'train.pt.trace.json.gz').waitFor();
    await expect
      .poll(lenses)
      .toEqual([
        expect.any(String),
        expect.stringMatching(/^CPU .*\/step · .* of the step · ×1 · no GPU work in this profile$/),
        expect.stringMatching(/^CPU .*\/step · .* · ×3 · /),
        expect.any(String),
        'not in this profile',
      ]);
    await workbench.screenshot('lines-fresh');
  });

  it('moves with an edit above, which changes nothing else', async () => {
    const all = async () => {
      const texts = await lenses();
      return texts.length === 5 && texts;
    };
    const before = await vi.waitUntil(all, patience);
    const lens = workbench.page.locator('.codelens-decoration').filter({hasText: 'not in this profile', visible: true});
    const top = async () => (await lens.boundingBox())?.y ?? 0;
    const topPx = await top();
    await type(2, '\n\n# two lines more');
    await expect.poll(top).toBeGreaterThan(topPx);
    await expect.poll(lenses).toEqual(before);
  });

  it('is of before the edit where the block was edited, and of now again when that is undone', async () => {
    await type(11 + 2, '  # edited');
    // The step around it has changed with it; its other parts have not.
    const ofEdit: unknown = expect.stringContaining('before your edit · CPU');
    await expect
      .poll(lenses)
      .toEqual([ofEdit, ofEdit, expect.stringMatching(/^CPU/), expect.any(String), expect.any(String)]);
    await expect.poll(() => lensOf(/before your edit/)).toHaveLength(2);
    await workbench.screenshot('lines-stale');
    await undo('# edited');
    await expect.poll(() => lensOf(/before your edit/)).toHaveLength(0);
  });

  it('knows a tag that was renamed no more', async () => {
    await workbench.goToLine(10 + 2 - 1);
    await press('End');
    for (let i = 0; i < 4; i++) await press('ArrowLeft');
    await workbench.page.keyboard.type('s');
    await expect.poll(() => lensOf(/not in this profile/)).toHaveLength(2);
    await press('Control+Z');
    await expect.poll(() => lensOf(/not in this profile/)).toHaveLength(1);
  });

  it('profiles again from a line that has changed', async () => {
    await type(11 + 2, '  # edited');
    await expect.poll(() => lensOf(/before your edit/)).toHaveLength(2);
    await workbench.clickCodeLens('Profile again');
    await workbench.notification('Profiling train.py').waitFor();
    await expect.poll(() => lensOf(/before your edit/)).toHaveLength(0);
    await expect.poll(async () => (await lenses())[1]).toMatch(/^CPU/);
  });

  it('tells in the hover how the line differs from the run before', async () => {
    const line = workbench.page.locator('.view-line', {hasText: '"backward"'});
    const hovered = async () => {
      await press('Escape');
      return (await hoverOf(line, 'CPU wall')).textContent();
    };
    // The run before is opened behind the one that is shown.
    await expect.poll(hovered, {interval: 500}).toMatch(/run before\s*[\d.]+ [mµ]?s: [▲▼] [+-][\d.]+ % \(±[\d.]+\)/);
    await workbench.screenshot('lines-run-before');
    await press('Escape');
  });

  it('opens a comparison of the two runs from the line', async () => {
    await workbench.goToLine(10);
    await workbench.clickLensButton('git-compare', {line: '×3'});
    const shown = async () => {
      const texts = workbench.page.frames().map(frame => frame.locator('body').allTextContents());
      return (await Promise.all(texts.map(text => text.catch(() => [])))).flat().join(' ');
    };
    await expect.poll(shown).toMatch(/layer_0.*run before\s*this run.*CPU wall.*\(±[\d.]+\).*instances/s);
    await workbench.screenshot('lines-comparison');
    await workbench.command('View: Close Editor');
    await workbench.page.locator('.tab.active', {hasText: 'train.py'}).click();
  });

  it('shows the flame graph of one of a line’s ranges', async () => {
    await workbench.goToLine(14);
    await workbench.clickLensButton('flame', {line: '×3'});
    await workbench.pick('layer_1');
    const flame = await workbench.webview('GPU Flame Graph');
    await expect.poll(() => flame.locator('body').textContent()).toContain('layer_1');
    await workbench.screenshot('lines-flame');
  });
});
