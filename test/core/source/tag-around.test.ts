import {describe, expect, it} from 'vitest';
import {findPythonTags} from '../../../src/source/python-tags.js';
import {tagAround} from '../../../src/core/source/tag-around.js';

const text = `
from torch.profiler import record_function

with record_function("outer"):
    x = 1
    with record_function("inner"):
        y = 2
    z = 3

@record_function("decorated")
def step():
    return 4

record_function("plain")
after = 5
`;

describe('tagAround(tags, line)', () => {
  const tags = findPythonTags(text);
  it.each([
    ['x = 1', 'outer'],
    ['y = 2', 'inner'],
    ['z = 3', 'outer'],
    ['with record_function("inner")', 'inner'],
    ['return 4', 'decorated'],
    ['after = 5', null],
    ['from torch', null],
  ])('at "%s" it is %s', (place, expected) => {
    const line = text.slice(0, text.indexOf(place)).split('\n').length;
    expect(tagAround(tags, line)?.pattern?.join('') ?? null).toBe(expected);
  });
});
