import {crc32} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {hasBlockChanged, recordedSource, sourceOfText} from '../../../src/core/source/block-change.js';
import {parseSidecar} from '../../../src/core/source/sidecar.js';
import {findPythonTags} from '../../../src/source/python-tags.js';

const ran = [
  'from torch.profiler import record_function',
  'for i in range(2):',
  '    with record_function(f"layer_{i}"):',
  '        x = 1',
  '        y = "ä"',
  'with record_function("head"):',
  '    z = 3',
].join('\n');

/** The sidecar of a run of a text, as the runner writes it. */
function sidecarOf(text: string, withEnds = true): ReturnType<typeof parseSidecar> {
  const site = (name: string, line: number, endLine: number) => ({
    name,
    file: 'src/train.py',
    line,
    ...(withEnds && {endLine}),
    count: 1,
  });
  const files = [{file: 'src/train.py', gitBlob: 'a'.repeat(40), lineCrc32: text.split('\n').map(line => crc32(line))}];
  return parseSidecar(
    JSON.stringify({sites: [site('layer_0', 3, 5), site('layer_1', 3, 5), site('head', 6, 7)], files}),
  );
}

/** Tag by tag: whether its block has changed. */
function changes(
  now: string,
  recorded = recordedSource('src/train.py', sidecarOf(ran) ?? never()),
): (boolean | null)[] {
  const lines = now.split('\n');
  return findPythonTags(now).map(tag =>
    hasBlockChanged(recorded ?? never(), tag.pattern ? [tag.pattern] : [], tag, line => crc32(lines[line - 1] ?? '')),
  );
}

function never(): never {
  throw new Error('This is not to be reached.');
}

describe('hasBlockChanged(recorded, patterns, block, crcAt)', () => {
  it('is false for what ran, wherever it stands', () => {
    expect(changes(ran)).toEqual([false, false]);
    expect(changes(`# a comment\n\n${ran}\n\nmore = 1`)).toEqual([false, false]);
  });

  it('is true for the block that was edited alone', () => {
    expect(changes(ran.replace('x = 1', 'x = 2'))).toEqual([true, false]);
    expect(changes(ran.replace('z = 3', 'z = 3\n    w = 4'))).toEqual([false, true]);
    expect(changes(ran.replace('\n        y = "ä"', ''))).toEqual([true, false]);
    expect(changes(ran.replace('"ä"', '"a"'))).toEqual([true, false]);
  });

  it('is false again when the edit is undone', () => {
    const edited = ran.replace('x = 1', 'x = 2');
    expect(changes(edited.replace('x = 2', 'x = 1'))).toEqual([false, false]);
  });

  it('is null for a tag that was not there', () => {
    expect(changes(`${ran}\nwith record_function("new"):\n    pass`)).toEqual([false, false, null]);
  });

  it('finds the block of one of several sites of a name', () => {
    const twice = `${ran}\nwith record_function("head"):\n    z = 3`;
    expect(changes(twice)).toEqual([false, false, false]);
    expect(changes(`${twice}1`)).toEqual([false, false, true]);
  });

  it('compares as many lines as there are where the runner does not know where blocks end', () => {
    const recorded = recordedSource('src/train.py', sidecarOf(ran, false) ?? never());
    expect(changes(ran, recorded)).toEqual([false, false]);
    expect(changes(ran.replace('y = "ä"', 'y = 1'), recorded)).toEqual([true, false]);
  });

  it('compares with a text of earlier, too', () => {
    const recorded = sourceOfText(ran, findPythonTags(ran), line => crc32(line));
    expect(changes(ran.replaceAll('\n', '\n'), recorded)).toEqual([false, false]);
    expect(changes(ran.replace('x = 1', 'x = 2'), recorded)).toEqual([true, false]);
    const crlf = sourceOfText(ran.replaceAll('\n', '\r\n'), findPythonTags(ran), line => crc32(line));
    expect(changes(ran, crlf)).toEqual([false, false]);
  });
});

describe('recordedSource(path, sidecar)', () => {
  it('is null for files of which the runner kept nothing', () => {
    expect(recordedSource('src/other.py', sidecarOf(ran) ?? never())).toBeNull();
    const old = parseSidecar(JSON.stringify({sites: [{name: 'a', file: 'src/train.py', line: 1, count: 1}]}));
    expect(recordedSource('src/train.py', old ?? never())).toBeNull();
  });

  it('takes nothing that is not of the form', () => {
    const bad = [null, 7, {file: 3}, {file: 'src/train.py', lineCrc32: ['1']}, {file: 'src/train.py', lineCrc32: [-1]}];
    for (const entry of bad) {
      const sidecar = parseSidecar(JSON.stringify({sites: [], files: [entry]}));
      expect(recordedSource('src/train.py', sidecar ?? never())).toBeNull();
    }
  });
});
