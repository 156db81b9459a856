// Prints the costs of laying out 200,000 blocks, with our columns and with d3-hierarchy: see docs/performance.md.
import {flameLayout} from '../../src/core/flame/flame-layout.js';
import {d3FlameLayout, flameObjects} from '../support/d3-flame.js';
import {wideFlame} from '../support/wide-flame.js';

const blocks = 200_000;
const runs = 9;

const graph = wideFlame(blocks);
const figures = {
  blocks,
  ours: measure(() => flameLayout(graph)),
  // Messages contain columns, so the objects that d3 needs are part of the cost.
  d3: measure(() => d3FlameLayout(flameObjects(graph))),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);

/** Returns the minimum and the median CPU time of some runs, and the memory of a result. */
function measure(layout: () => unknown): {leastMs: number; medianMs: number; heldBytes: number} {
  globalThis.gc?.();
  const before = held();
  const kept = layout();
  globalThis.gc?.();
  const heldBytes = held() - before;
  const taken = Array.from({length: runs}, () => {
    const startUs = process.cpuUsage();
    layout();
    const {user, system} = process.cpuUsage(startUs);
    return (user + system) / 1000;
  }).sort((one, other) => one - other);
  if (kept === null) throw new Error('There is no layout.');
  return {leastMs: taken[0] ?? NaN, medianMs: taken[runs >> 1] ?? NaN, heldBytes};
}

function held(): number {
  const {heapUsed, arrayBuffers} = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
