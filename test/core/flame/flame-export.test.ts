import {describe, expect, it} from 'vitest';
import {flameJson, foldedStacks, speedscopeFile} from '../../../src/core/flame/flame-export.js';
import {flameSvg} from '../../../src/core/flame/flame-svg.js';
import {flameWeights} from '../../../src/core/flame/flame-graph.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {blockNamed} from '../../support/flame-picture.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range step      ==============
  range a;b<i>     ====
  call             A    B
  stream 7          AA    BBBBBd
`);

const graph = flameGraph(trace, {weight: 'gpu-work'});

describe('foldedStacks(graph, node)', () => {
  it('is a line per block with something of its own, semicolons in names replaced', () => {
    expect(foldedStacks(graph).split('\n')).toEqual([
      'step;a,b<i>;kernel_A 2000',
      'step;kernel_B 5000',
      '(no launch call);kernel_d 1000',
      '',
    ]);
  });

  it('is of one block alone where that is asked for', () => {
    expect(foldedStacks(graph, blockNamed(graph, 'a;b<i>'))).toBe('step;a,b<i>;kernel_A 2000\n');
  });

  it.each(flameWeights)('adds up to the root by %s', weight => {
    for (let seed = 0; seed < 10; seed++) {
      const whole = flameGraph(randomTrace(seed), {weight});
      const lines = foldedStacks(whole).split('\n').slice(0, -1);
      const sum = lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
      expect(sum).toBe(whole.total);
    }
  });
});

describe('speedscopeFile(graph, name)', () => {
  it('has frames by name, and samples from the left of the picture whose weights add up', () => {
    const file = JSON.parse(speedscopeFile(graph, 'x.json')) as {
      shared: {frames: {name: string}[]};
      profiles: {unit: string; endValue: number; samples: number[][]; weights: number[]}[];
    };
    const [profile] = file.profiles;
    expect([profile?.unit, profile?.endValue]).toEqual(['nanoseconds', 8000]);
    expect(profile?.weights.reduce((sum, weight) => sum + weight)).toBe(8000);
    expect(profile?.samples.map(stack => stack.map(frame => file.shared.frames[frame]?.name))).toEqual([
      ['step', 'kernel_B'],
      ['step', 'a;b<i>', 'kernel_A'],
      ['(no launch call)', 'kernel_d'],
    ]);
  });
});

describe('speedscopeFile(graph, name) in the order of time', () => {
  it('has a stack each time that it was there', () => {
    const again = traceFromText(`
      range step      ============
      range a          ==    ==
      range b            ==
      call             A B   C
      stream 7          AABBBBCCC
    `);
    const file = JSON.parse(speedscopeFile(flameGraph(again, {weight: 'gpu-work', mode: 'time'}), 'x.json')) as {
      shared: {frames: {name: string}[]};
      profiles: {samples: number[][]; weights: number[]}[];
    };
    const [profile] = file.profiles;
    expect(profile?.samples.map(stack => stack.map(frame => file.shared.frames[frame]?.name).join(' '))).toEqual([
      'step a kernel_A',
      'step b kernel_B',
      'step a kernel_C',
    ]);
    expect(profile?.weights).toEqual([2000, 4000, 3000]);
  });
});

describe('flameSvg(graph)', () => {
  it('has the picture’s names as text, with a tooltip per block', () => {
    const svg = flameSvg(graph);
    expect(svg).toContain('>a;b&#60;i&#62;</text>');
    expect(svg).not.toContain('<i>');
    expect(svg).toContain('<title>step\nGPU work 7.00 µs · 87.5 % of all');
  });

  it('is well-formed whatever names hold', () => {
    const odd = traceFromText('range \ud800\u0001&"\'   =====');
    const svg = flameSvg(flameGraph(odd, {weight: 'cpu'}));
    expect(svg).not.toMatch(/[\ud800\u0001]/);
    expect((svg.match(/<g>/g) ?? []).length).toBe((svg.match(/<\/g>/g) ?? []).length);
  });
});

it('flameJson(graph) has the blocks, parents first', () => {
  const {total, blocks} = JSON.parse(flameJson(graph)) as {total: number; blocks: {name: string; parent: number}[]};
  expect(total).toBe(8000);
  expect(blocks.every(({parent}, index) => parent < index)).toBe(true);
  expect(blocks[0]).toMatchObject({name: 'GPU work', parent: -1, total: 8000});
});
