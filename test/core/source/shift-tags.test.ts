import {describe, expect, it} from 'vitest';
import {shiftTags, type TextEdit} from '../../../src/core/source/shift-tags.js';
import {findPythonTags} from '../../../src/source/python-tags.js';
import {seededRandom} from '../../support/random.js';

const text = [
  'from torch.profiler import record_function',
  'with record_function("a"):',
  '    x = 1',
  '    y = 2',
  'with record_function("b"):',
  '    z = 3',
].join('\n');
const tags = findPythonTags(text);

/** Replaces `[from, to)` of a text, with the edit as an editor tells it. */
function replaced(before: string, from: number, to: number, inserted: string): {after: string; edit: TextEdit} {
  const lineAt = (offset: number) => before.slice(0, offset).split('\n').length;
  return {
    after: before.slice(0, from) + inserted + before.slice(to),
    edit: {
      startOffset: from,
      endOffset: to,
      startLine: lineAt(from),
      startColumn: from - (before.lastIndexOf('\n', from - 1) + 1),
      endLine: lineAt(to),
      insertedLength: inserted.length,
      insertedLines: inserted.split('\n').length - 1,
    },
  };
}

const places = (found: ReturnType<typeof findPythonTags>) =>
  found.map(({pattern, line, endLine, offset}) => [pattern?.[0], line, endLine, offset]);

describe('shiftTags(tags, edit)', () => {
  it.each([
    ['a line above', text.indexOf('with'), text.indexOf('with'), '# new\n\n'],
    ['a letter in a block', text.indexOf('= 1') + 2, text.indexOf('= 1') + 3, '12'],
    ['a line in a block', text.indexOf('    y'), text.indexOf('    y'), '    w = 0\n'],
    ['no line of a block', text.indexOf('    y'), text.indexOf('with record_function("b")'), ''],
    ['a line at the end of a block', text.indexOf('y = 2') + 5, text.indexOf('y = 2') + 5, '\n    q = 1'],
    ['a whole tag less', text.indexOf('with record_function("b")'), text.length, ''],
    ['a line below', text.length, text.length, '\nw = 4'],
  ])('gives what reading the text again gives: %s', (what, from, to, inserted) => {
    const {after, edit} = replaced(text, from, to, inserted);
    if (what === 'a line below') {
      // Whether a line at the end belongs to the block only its indentation tells.
      expect(shiftTags(tags, edit)).toHaveLength(2);
      return;
    }
    expect(places(shiftTags(tags, edit))).toEqual(places(findPythonTags(after)));
  });

  it('finds each call where it is after any edit that touches none', () => {
    const random = seededRandom(7);
    const below = (end: number) => Math.floor(random() * end);
    for (let round = 0; round < 300; round++) {
      const from = below(text.length);
      const to = Math.min(text.length, from + below(12));
      const {after, edit} = replaced(text, from, to, ['', '\n', 'x', '\n\n# y\n'][below(4)] ?? '');
      for (const {offset, line, endLine} of shiftTags(tags, edit)) {
        if (offset < from && offset + 'record_function'.length > from) continue;
        expect(after.slice(offset)).toMatch(/^record_function/);
        expect(line).toBe(after.slice(0, offset).split('\n').length);
        expect(endLine).toBeGreaterThanOrEqual(line);
      }
    }
  });
});
