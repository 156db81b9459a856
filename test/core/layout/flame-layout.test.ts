import {describe, expect, it} from 'vitest';
import {flameLayout, blocksInWindow} from '../../../src/core/layout/flame-layout.js';
import {flameGraph, type FlameWeight} from '../../../src/core/queries/flame.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range step      ==============
  range attention  ====
  range ffn             ======
  call             A    BC
  stream 7          AA    BBBBBCd
`);

/** The picture in words: a line per block, indented by depth, with its share of the width. */
function picture(from: Trace, weight: FlameWeight): string[] {
  const graph = flameGraph(from, weight);
  return flameLayout(graph).map(({node, depth, x0, x1}) => {
    const name = graph.names[graph.nodes.name[node] ?? -1] ?? '';
    return `${'  '.repeat(depth)}${name} ${x0.toFixed(2)}–${x1.toFixed(2)}`;
  });
}

describe('flameLayout(flameGraph(trace, weight))', () => {
  it('is as wide as the GPU work, the widest first, and closes with the buckets', () => {
    expect(picture(trace, 'gpu-work')).toEqual([
      'GPU work 0.00–1.00',
      '  step 0.00–0.89',
      '  (no launch call) 0.89–1.00',
      '    ffn 0.00–0.67',
      '    attention 0.67–0.89',
      '    kernel_d 0.89–1.00',
      '      kernel_B 0.00–0.56',
      '      kernel_C 0.56–0.67',
      '      kernel_A 0.67–0.89',
    ]);
  });

  it('is as wide as the CPU wall time of the outermost ranges', () => {
    expect(picture(trace, 'cpu')).toEqual([
      'CPU wall time of tagged ranges 0.00–1.00',
      '  step 0.00–1.00',
      '    ffn 0.00–0.43',
      '    attention 0.43–0.71',
    ]);
  });

  it('has no blocks where there is no time', () => {
    expect(picture(traceFromText('range nothing   '), 'gpu-work')).toEqual([]);
  });

  it('has the backward part of a range in a block of its own, and all profiler steps in one', () => {
    const steps = traceFromText(`
      range ProfilerStep#1 ===
      range ProfilerStep#2    ==
    `);
    expect(picture(steps, 'cpu').map(line => line.trim().split(' ')[0])).toContain('ProfilerStep*');
  });
});

it('blocksInWindow(blocks, block) widens a block and its ancestors, and drops its siblings', () => {
  const graph = flameGraph(trace, 'gpu-work');
  const blocks = flameLayout(graph);
  const ffn = blocks.find(({node}) => graph.names[graph.nodes.name[node] ?? -1] === 'ffn') ?? {x0: 0, x1: 0};
  const shown = blocksInWindow(blocks, ffn).map(({node, x0, x1}) => [
    graph.names[graph.nodes.name[node] ?? -1],
    Number(x0.toFixed(3)),
    Number(x1.toFixed(3)),
  ]);
  expect(shown).toEqual([
    ['GPU work', 0, 1],
    ['step', 0, 1],
    ['ffn', 0, 1],
    ['kernel_B', 0, 0.833],
    ['kernel_C', 0.833, 1],
  ]);
});
