import {describe, expect, it} from 'vitest';
import {markdownCell} from '../../../src/core/format/cells.js';
import {plainText} from '../../../src/importers/text/markdown-table.js';

describe('markdownCell(text)', () => {
  it.each([
    ['![x](http://host/a.png)', '!\\[x\\](http\\://host/a.png)'],
    ['see www.host.org', 'see www\\.host.org'],
    ['a|b\\<img src=x> &amp; `c` $d$', 'a\\|b\\\\\\<img src=x> \\&amp; \\`c\\` \\$d\\$'],
    ['**bold** _slanted_ ~~gone~~', '\\*\\*bold\\*\\* \\_slanted\\_ \\~\\~gone\\~\\~'],
    ['two\nlines', 'two lines'],
    ['layer_0 at::native −3.5 % (2.1 ms)', 'layer_0 at::native −3.5 % (2.1 ms)'],
  ])('of %j is %j, and reads as it was', (text, cell) => {
    expect(markdownCell(text)).toBe(cell);
    expect(plainText(cell)).toBe(text.replace('\n', ' '));
  });
});
