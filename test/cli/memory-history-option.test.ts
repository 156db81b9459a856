import {expect, it} from 'vitest';
import {withMemoryHistory} from '../../src/cli/memory-option.js';

it.each([
  ['--memory history -- python train.py', '--memory-history -- python train.py'],
  ['--stack --memory=history -- python train.py', '--stack --memory-history -- python train.py'],
  // Alone it takes no value, and what is behind "--" belongs to the command.
  ['--memory -- history', '--memory -- history'],
  ['--memory --stack -- python train.py --memory history', '--memory --stack -- python train.py --memory history'],
  ['-- python train.py --memory=history', '-- python train.py --memory=history'],
])('withMemoryHistory(args) reads "%s"', (given, meant) => {
  expect(withMemoryHistory(given.split(' '))).toEqual(meant.split(' '));
});
