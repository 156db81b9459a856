import {expect, it} from 'vitest';
import {recordedCell} from '../../../src/core/source/notebook-cell.js';

const file = (name: string, lineCrc32: readonly number[] | null) => ({file: name, gitBlob: null, lineCrc32});
const [one, two, three] = ['/tmp/ipykernel_7/1.py', '/tmp/ipykernel_7/2.py', '/tmp/ipykernel_7/3.py'];

it('recordedCell(lines, files) is the cell that is most alike, and none where more than half of the lines are others', () => {
  const files = [file(one, [1, 2, 3, 0]), file(two, [1, 2, 3, 4, 5]), file('/w/train.py', [1, 2, 3])];
  expect(recordedCell([1, 2, 3], files)).toBe(one);
  expect(recordedCell([0, 1, 2, 3, 4, 5], files)).toBe(two);
  expect(recordedCell([1, 2, 9, 4, 5], files)).toBe(two);
  expect(recordedCell([1, 8, 9], files)).toBeNull();
  expect(recordedCell([], files)).toBeNull();
});

it('recordedCell(lines, files) guesses none of two that are as near', () => {
  expect(recordedCell([1, 2, 3], [file(one, [1, 2, 8]), file(two, [1, 2, 9])])).toBeNull();
  expect(recordedCell([1, 2, 3], [file(one, [1, 2, 8]), file(two, [1, 2, 9]), file(three, [1, 2, 3])])).toBe(three);
  expect(recordedCell([1, 1, 1, 1], [file(one, [1]), file(two, null)])).toBeNull();
});
