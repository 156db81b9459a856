import {describe, expect, it} from 'vitest';
import type {RooflineMark} from '../../src/core/questions/roofline-marks.js';
import {chartScales, placedMarks, roofsOfMarks} from '../../webview/roofline/chart-scales.js';
import {roofBaselines} from '../../webview/roofline/draw-frame.js';
import {firstState, inputOfState, storedState} from '../../webview/roofline/estimate-state.js';
import {system} from '../support/estimates.js';

const mark: RooflineMark = {
  name: 'aten::mm',
  shape: null,
  precision: 'bf16',
  count: 1,
  matrixFlops: 1e12,
  vectorFlops: 0,
  bytes: 1e10,
  gpuWorkNs: 1e7,
  unknownGpuWorkNs: 0,
  predictedNs: null,
  slice: 0,
  source: 'shapes',
  place: null,
};
const other: RooflineMark = {...mark, precision: null, matrixFlops: 0, vectorFlops: 1e9, gpuWorkNs: 2.5e6};
const copy: RooflineMark = {...other, vectorFlops: 0};

describe('placedMarks(marks)', () => {
  it('leaves out what computes nothing, which a logarithm has no place for', () => {
    expect(placedMarks([mark, copy, {...mark, gpuWorkNs: 0}])).toEqual([{mark, intensity: 100, flopsPerSecond: 1e14}]);
  });
});

describe('roofsOfMarks(marks, system)', () => {
  it('has the roofs that marks lie under, those of one height together', () => {
    const single: RooflineMark = {...mark, precision: 'fp32'};
    const roofs = roofsOfMarks([mark, other, single], system('h100'));
    expect(roofs.map(({name, flopsPerSecond}) => [name, flopsPerSecond])).toEqual([
      ['bf16 products', 989.4e12],
      ['vector units, fp32 products', 66.9 * 1e12],
    ]);
    expect(roofs[0]?.ridge).toBeCloseTo(989.4e12 / 3.35e12, 9);
  });
});

describe('chartScales(placed, roofs, box)', () => {
  it('holds all marks and ridges, with areas in proportion to GPU work', () => {
    const box = {left: 10, top: 20, right: 510, bottom: 320};
    const roofs = roofsOfMarks([mark, other], system('h100'));
    const placed = placedMarks([mark, other]);
    const {x, y, radius} = chartScales(placed, roofs, box);
    for (const {intensity, flopsPerSecond} of placed) {
      expect(x(intensity)).toBeGreaterThan(box.left);
      expect(x(intensity)).toBeLessThan(box.right);
      expect(y(flopsPerSecond)).toBeGreaterThan(box.top);
      expect(y(flopsPerSecond)).toBeLessThan(box.bottom);
    }
    for (const {ridge} of roofs) expect(x(ridge)).toBeLessThan(box.right);
    expect(radius(1e7)).toBeCloseTo(2 * radius(2.5e6), 9);
  });

  it('has axes without any mark', () => {
    expect(chartScales([], [], {left: 0, top: 0, right: 1, bottom: 1}).x(10)).toBeGreaterThan(0);
  });
});

describe('roofBaselines(lines)', () => {
  it('writes names above their lines, and below where the name before is in the way', () => {
    expect(roofBaselines([20, 60])).toEqual([15, 55]);
    expect(roofBaselines([20, 30])).toEqual([15, 43]);
    expect(roofBaselines([20, 22, 24])).toEqual([15, 35, 48]);
  });
});

describe('storedState(stored)', () => {
  it('gives back what was kept', () => {
    const state = {...firstState, changes: {batch: 3}, kind: '3D' as const, degrees: {rows: 2}, isCalibrated: true};
    expect(storedState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it.each([
    null,
    'x',
    [],
    {modelId: 'gpt9'},
    {changes: {batch: 'x'}},
    {kind: '4D'},
    {degrees: {rows: {}}},
    {precision: 7},
  ])('begins anew with %j', stored => {
    expect(storedState(stored)).toMatchObject({modelId: 'gpt3-175b', systemId: 'a100-40gb'});
  });

  it('is an estimate that can be made', () => {
    expect(inputOfState(firstState, null)).toMatchObject({
      parallelism: {kind: '1D', tensor: 4, sequence: 4, expert: 1},
      variant: 'corrected',
    });
  });
});
