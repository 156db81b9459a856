import {crc32} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {linesNow} from '../../../src/core/source/line-now.js';

const text = 'import a\n\nx = 1\nmodel(x)\nx = 2\nmodel(x)\nend\n';
const crcs = (lines: string) => lines.split('\n').map(line => crc32(line));

function lineNow(now: string, line: number): number | null {
  const checksums = crcs(now);
  return linesNow(crcs(text), {lineCount: checksums.length, crcAt: at => checksums[at - 1] ?? NaN})(line);
}

describe('linesNow(recorded, now)', () => {
  it.each([
    ['where nothing changed', text, 4],
    ['below lines that came', `# a\n# b\n${text}`, 6],
    ['below lines that went', text.slice('import a\n'.length), 3],
    ['between edits', `# a\n${text}# b\n`, 5],
    ['edited in its place', text.replace('model(x)', 'model(x, 3)'), 4],
    ['of two that are alike, in their order', text.replace('x = 1', 'x = 1\ny = 1').replace('end', 'last'), 5],
  ])('finds a line %s', (_, now, line) => {
    expect(lineNow(now, 4)).toBe(line);
  });

  it('finds none that is gone, that may be several, or that never was', () => {
    expect(lineNow(text.replace('model(x)\nx = 2\n', ''), 5)).toBeNull();
    const doubled = text.replace('import a', 'import b').replace('x = 1', 'x = 1\nmodel(x)').replace('end', 'last');
    expect(lineNow(doubled, 4)).toBeNull();
    expect(lineNow(text, 99)).toBeNull();
    expect(lineNow(text, 0)).toBeNull();
  });
});
