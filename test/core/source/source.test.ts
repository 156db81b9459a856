import {crc32} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {hasText, isExactName, matchesName} from '../../../src/core/names/name-pattern.js';
import {classOfModule} from '../../../src/core/source/module-forward.js';
import {parseSidecar, sidecarNotes, sidecarPath} from '../../../src/core/source/sidecar.js';
import {namedTags} from '../../../src/core/source/tag-patterns.js';

describe('matchesName(pattern, name)', () => {
  it.each([
    [['attention'], 'attention', true],
    [['attention'], 'attention2', false],
    [['layer_', ''], 'layer_31', true],
    [['layer_', ''], 'layer_', true],
    [['layer_', ''], 'xlayer_3', false],
    [['', '_', '.fwd'], 'a_b.fwd', true],
    [['', '_', '.fwd'], 'ab.fwd', false],
    [['aa', 'aa'], 'aaa', false],
    [['a', 'b', 'a'], 'aba', true],
    [['a', 'ba', 'a'], 'aba', false],
  ] as const)('%j and %s: %s', (pattern, name, expected) => {
    expect(matchesName(pattern, name)).toBe(expected);
  });

  it('takes linear time on a name made to be slow', () => {
    const pattern = Array.from({length: 200}, () => 'a');
    expect(matchesName([...pattern, 'b'], 'a'.repeat(100_000))).toBe(false);
  });
});

it('patterns know whether they are exact and say anything', () => {
  expect([isExactName(['a']), isExactName(['a', ''])]).toEqual([true, false]);
  expect([hasText(['', '']), hasText(['', 'x'])]).toEqual([false, true]);
});

it.each([
  ['/r/steps.rank0.pt.trace.json.gz', '/r/steps.rank0.meta.json'],
  ['/r/steps.pt.trace.json', '/r/steps.meta.json'],
  ['/r/plain.json', '/r/plain.meta.json'],
  ['/r/train.rank0.memory.pickle', '/r/train.rank0.meta.json'],
  ['/r/report.sqlite', '/r/report.sqlite.meta.json'],
])('sidecarPath(%s) is %s', (trace, sidecar) => {
  expect(sidecarPath(trace)).toBe(sidecar);
});

describe('parseSidecar(text)', () => {
  it('keeps what has the form of a site', () => {
    const site = {name: 'a', file: 'm.py', line: 3, count: 2};
    const text = JSON.stringify({sites: [site, {name: 1}, null, {...site, line: 'x'}, {...site, line: 2 ** 60}]});
    expect(parseSidecar(text)?.sites).toEqual([site]);
  });

  it('keeps what has the form of a module', () => {
    const modules = [
      {name: 'Net', class: 'model.Net', file: 'm.py', line: 3},
      {name: 'Net.out', class: 'torch.nn.Linear'},
    ];
    const text = JSON.stringify({
      sites: [],
      modules: [...modules, {name: 1}, {name: 'a', class: 'b', line: 'x'}, null],
    });
    expect(parseSidecar(text)?.modules).toEqual(modules);
    expect(parseSidecar('{"sites": []}')?.modules).toEqual([]);
    const asRanges = modules.map(module => ({...module, name: `nn.Module: ${module.name}`}));
    expect(parseSidecar(JSON.stringify({sites: [], modules: asRanges}))?.modules).toEqual(modules);
  });

  it('leaves out what is too much to be the runner’s, and counts it', () => {
    const sites = Array.from({length: 20_003}, (_, at) => ({name: 'a', file: `m${String(at)}.py`, line: 1, count: 1}));
    const files = Array.from({length: 2001}, (_, at) => ({file: `m${String(at)}.py`}));
    const sidecar = parseSidecar(JSON.stringify({sites, files}));
    expect([sidecar?.sites.length, sidecar?.files.length, sidecar?.omitted]).toEqual([20_000, 2000, 4]);
  });

  it.each(['', 'x', '[]', 'null', '{"sites": 3}'])('is null for %j', text => {
    expect(parseSidecar(text)).toBeNull();
  });
});

it('sidecarNotes(sidecar) says what of the script was recorded, where that is not what was asked for', () => {
  const sidecar = {sites: [], kind: 'steps', why: 'complete', steps: 3, omitted: 0};
  expect(sidecarNotes(sidecar)).toEqual([]);
  expect(sidecarNotes({...sidecar, omitted: 1234})[0]?.text).toContain(
    '1,234 entries of the sidecar file were not read',
  );
  expect(sidecarNotes({...sidecar, why: 'exit', steps: 1})[0]?.text).toContain('1 complete step');
  expect(sidecarNotes({...sidecar, kind: 'opening'})[0]?.code).toBe('run/opening');
});

describe('namedTags(tags, file, sidecar, now)', () => {
  const ran = ['', 'with range(first):', '  pass', '', '', '', 'with range(second):', '  pass'];
  const sidecar = {
    sites: [
      {name: 'other', file: 'src/m.py', line: 2, count: 1},
      {name: 'computed', file: 'src/m.py', line: 7, count: 1},
      {name: 'elsewhere', file: 'src/n.py', line: 7, count: 1},
    ],
    files: [{file: 'src/m.py', gitBlob: null, lineCrc32: ran.map(line => crc32(line))}],
  };
  const tag = {pattern: null, line: 7};
  const linesNow = (lines: readonly string[]) => ({
    lineCount: lines.length,
    crcAt: (line: number) => crc32(lines[line - 1] ?? ''),
  });
  const patternsOf = (...asked: Parameters<typeof namedTags>) => namedTags(...asked).map(({patterns}) => patterns);

  it('takes what the text says', () => {
    expect(patternsOf([{...tag, pattern: ['a']}], 'src/m.py', sidecar, null)).toEqual([[['a']]]);
  });

  it('takes what the runner saw that very line open, where the name is computed', () => {
    expect(patternsOf([tag], 'src/m.py', sidecar, null)).toEqual([[['computed']]]);
    expect(patternsOf([{...tag, line: 8}], 'src/m.py', sidecar, null)).toEqual([]);
    expect(patternsOf([tag], null, sidecar, null)).toEqual([]);
    expect(patternsOf([tag], 'src/m.py', null, null)).toEqual([]);
  });

  it('finds the line where edits above have moved it, and gives it the names of no other', () => {
    const moved = ['# a', '# b', '# c', '# d', '# e', ...ran];
    const tags = [7, 12].map(line => ({pattern: null, line}));
    expect(patternsOf(tags, 'src/m.py', sidecar, linesNow(moved))).toEqual([[['other']], [['computed']]]);
  });
});

it.each([
  ['nn.Module: Mlp_3', 'Mlp'],
  ['nn.Module: My_Block_12', 'My_Block'],
  ['nn.Module: Mlp', 'Mlp'],
  ['aten::mm', null],
])('classOfModule(%s) is %s', (name, className) => {
  expect(classOfModule(name)).toBe(className);
});
