import {expect, it} from 'vitest';
import {parsePython, pythonTags} from '../../src/source/python-tags.js';

it('pythonTags(parsed) looks through a text once, however often it is asked', () => {
  const parsed = parsePython('from torch.profiler import record_function as r\nwith r("a"):\n    pass\n');
  expect(pythonTags(parsed)).toHaveLength(1);
  expect(pythonTags(parsed)).toBe(pythonTags(parsed));
});
