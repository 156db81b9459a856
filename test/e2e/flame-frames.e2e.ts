import {join} from 'node:path';
import {build} from 'esbuild';
import {chromium} from 'playwright-core';
import {expect, inject, it} from 'vitest';
import {chromiumFlags} from '../../scripts/lib/chromium.mjs';
import {root} from '../../scripts/lib/run.mjs';

const frames = 300;

interface Measured {
  readonly layoutMs: number;
  readonly frameMs: readonly number[];
}

it('drawFlame(pen, view, theme) takes at most 8 ms of script for a frame of 200,000 blocks, in 95 of 100', async () => {
  const {outputFiles} = await build({
    entryPoints: [join(root, 'test', 'e2e', 'fixtures', 'flame-frames.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
  });
  const browser = await chromium.launch({executablePath: inject('chromium'), args: chromiumFlags});
  try {
    const page = await browser.newPage();
    await page.addScriptTag({content: outputFiles[0]?.text ?? ''});
    // Of five rounds the least of each frame: what other programs take of the machine is not the picture's.
    const frameMs = Array.from({length: frames}, () => Infinity);
    let layoutMs = Infinity;
    for (let round = 0; round < 5; round++) {
      const measured = await page.evaluate<Measured>(`measure(200000, ${String(frames)})`);
      layoutMs = Math.min(layoutMs, measured.layoutMs);
      measured.frameMs.forEach((ms, frame) => {
        frameMs[frame] = Math.min(ms, frameMs[frame] ?? ms);
      });
    }
    const sorted = frameMs.sort((one, other) => one - other);
    const at = (part: number) => sorted[Math.floor(part * sorted.length)] ?? NaN;
    process.stdout.write(
      `200,000 blocks: layout ${layoutMs.toFixed(0)} ms, frame ${at(0.5).toFixed(2)} ms (median), ${at(0.95).toFixed(2)} ms (p95), ${at(0.999).toFixed(2)} ms (most)\n`,
    );
    expect(at(0.95)).toBeLessThanOrEqual(8);
  } finally {
    await browser.close();
  }
});
