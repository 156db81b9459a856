import {beforeAll, describe, expect, it} from 'vitest';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {hoverAt} from './support/hover.js';
import {Workbench} from './support/workbench.js';

const script = `from torch.profiler import record_function

with record_function("metrics"):
    total = loss.item()
with record_function("forward"):
    values = output.cpu()
`;

/** Two steps in which "metrics" waits for 150 µs, and "forward" for nothing. */
const events = [0, 1].flatMap(step => {
  const beginUs = 2000 * step;
  return [
    kineto.range(`ProfilerStep#${String(step)}`, beginUs, 1000),
    kineto.range('forward', beginUs + 10, 50),
    kineto.call(10 * step + 1, beginUs + 20, 5),
    kineto.kernel(10 * step + 1, beginUs + 30, 400),
    kineto.range('metrics', beginUs + 100, 500),
    kineto.op('aten::item', beginUs + 110, 200),
    {...kineto.call(10 * step + 2, beginUs + 115, 150), name: 'cudaMemcpyAsync'},
    {
      ...kineto.kernel(10 * step + 2, beginUs + 450, 1),
      cat: 'gpu_memcpy',
      name: 'Memcpy DtoH (Device -> Pageable)',
    },
  ];
});

describe('hints', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await Workbench.start({
      files: {
        'train.py': script,
        'gpu.pt.trace.json': kinetoText(events),
        '.vscode/settings.json': JSON.stringify({'gpuLens.profile': 'gpu.pt.trace.json'}),
      },
    });
    await workbench.openFile('train.py');
  });

  it('stand on the line with the stall that the trace measured, and on no other', async () => {
    await expect.poll(() => workbench.codeLenses()).toHaveLength(2);
    const hints = workbench.page.locator('.squiggly-hint');
    await hints.first().waitFor({state: 'attached'});
    // Hints disappear briefly when the workspace's files are known, and return together.
    await expect.poll(() => hints.count()).toBe(1);
    await workbench.screenshot('hints');
  });

  it('say on hover what was measured', async () => {
    const {page} = workbench;
    const hovered = async () => {
      const hover = await hoverAt(page, 'GPU Lens', async () => {
        const mark = await page.locator('.squiggly-hint').first().boundingBox();
        // The mark lies behind the text.
        for (const dx of [3, 5]) if (mark) await page.mouse.move(mark.x + dx, mark.y + 5);
      });
      return (await hover.textContent())?.replaceAll('\u00a0', ' ');
    };
    // 150 µs in each of the two steps of 1 ms.
    await expect
      .poll(hovered)
      .toContain(
        '.item() waits for the GPU. In this profile such calls inside "metrics" blocked the CPU for 150 µs/step (15.0 % of the steps, ×1).',
      );
    await workbench.screenshot('hints-hover');
    await page.keyboard.press('Escape');
  });

  it('go with the profile', async () => {
    await workbench.command('GPU Lens: Close Profile');
    await workbench.page.locator('.squiggly-hint').first().waitFor({state: 'detached'});
  });
});
