import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {readCompiledGraphs} from '../../../src/importers/compiled-graphs.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kernelSitesInCache, kernelSitesOfGraph, pickledText} from '../../../src/launch/compiled/inductor-cache.js';
import {json} from '../../support/command-line.js';
import {kineto, kinetoText, type KinetoEvent} from '../../support/kineto-events.js';
import {opened} from '../../support/opened-file.js';
import {project, temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const folder = temporaryFolder();
const graph = gunzipSync(readFileSync(join(project, 'test', 'fixtures', 'inductor-cache', 'graph.gz')));
const key = 'f5dp4gbf7hbu7u56pq5rxm5fhjfalqn3vp7lw4jhouhqel3zom2l';
const [softmax, sum] = [
  'triton_per_fused__softmax_abs_all_amax_eq_mul_ne_relu_sub_0',
  'triton_per_fused__softmax_sum_1',
];
const sites = [
  {name: softmax, file: '/tmp/demo/model.py', line: 5},
  {name: softmax, file: '/tmp/demo/model.py', line: 6},
  {name: sum, file: '/tmp/demo/model.py', line: 6},
];

/** Puts the graph where Inductor keeps it, and gives the file of one of its kernels. */
function writeCache(cache: string, name = 'graph', content: Buffer = graph): string {
  const home = join(cache, 'fxgraph', key.slice(1, 3), key);
  mkdirSync(home, {recursive: true});
  writeFileSync(join(home, name), content);
  return join(cache, 'wb', 'cwbsjnguckvc6zn4iuijgcx4gvmklszhlwuas72gpzi6in4xzag6.py');
}

/** A trace as PyTorch writes it of a call of the graph. */
function writeTrace(name: string, kernelFile: string | null): string {
  const path = join(folder, name);
  const launch = (operator: string, at: number, correlation: number): KinetoEvent[] => [
    kineto.op(operator, at, 20, kernelFile === null ? {} : {kernel_file: kernelFile, kernel_backend: 'triton'}),
    kineto.call(correlation, at + 2, 5),
    kineto.kernel(correlation, at + 10, 30),
  ];
  writeFileSync(
    path,
    kinetoText([
      kineto.op('Torch-Compiled Region: 0/0', 0, 100),
      kineto.range(`## Call CompiledFxGraph ${key} ##`, 1, 98),
      ...launch(softmax, 10, 1),
      ...launch(sum, 40, 2),
      ...launch('triton_poi_fused_add_9', 70, 3),
    ]),
  );
  return path;
}

describe('kernelSitesOfGraph(file)', () => {
  it('reads the lines of kernels from a graph as PyTorch keeps it', () => {
    expect(kernelSitesOfGraph(graph)).toEqual(sites);
  });

  it('has none for any other file, nor for any part of one', () => {
    expect(kernelSitesOfGraph(Buffer.from('source_code'))).toEqual([]);
    for (let end = 0; end < graph.length; end += 997) {
      expect(kernelSitesOfGraph(graph.subarray(0, end)).length).toBeLessThanOrEqual(sites.length);
    }
  });
});

describe('pickledText(pickled, name)', () => {
  const text = (value: string) => Buffer.concat([Buffer.from([0x8c, value.length]), Buffer.from(value)]);
  const memo = Buffer.from([0x94]);

  it('takes long and short texts, behind a number of the memo and the beginning of a frame', () => {
    const frame = Buffer.from([0x95, 1, 2, 3, 4, 5, 6, 7, 8]);
    const long = Buffer.concat([Buffer.from([0x58, 5, 0, 0, 0]), Buffer.from('nähe')]);
    expect(pickledText(Buffer.concat([text('a'), memo, text('b')]), 'a')).toBe('b');
    expect(pickledText(Buffer.concat([text('a'), memo, frame, text('b')]), 'a')).toBe('b');
    expect(pickledText(Buffer.concat([text('a'), long, text('b')]), 'a')).toBe('nähe');
  });

  it('is empty for another value, and ends with the file', () => {
    expect(pickledText(Buffer.concat([text('a'), Buffer.from('N')]), 'a')).toBe('');
    expect(pickledText(Buffer.concat([text('a'), Buffer.from([0x58, 255, 0])]), 'a')).toBe('');
    expect(pickledText(Buffer.concat([text('a'), Buffer.from([0x58, 255, 0, 0, 0, 65])]), 'a')).toBe('A');
    expect(pickledText(text('b'), 'a')).toBe('');
  });
});

describe('kernelSitesInCache({kernelFile, keys})', () => {
  it('reads the graphs that were called, of the cache in which the kernel’s file lies', async () => {
    const kernelFile = writeCache(join(folder, 'cache'));
    expect(await kernelSitesInCache({kernelFile, keys: [key]})).toEqual(sites);
    expect(await kernelSitesInCache({kernelFile, keys: [`${key}a`]})).toEqual([]);
  });

  it('reads nothing where the path is none of Inductor’s, or of another machine', async () => {
    const kernelFile = writeCache(join(folder, 'guarded'));
    const cache = dirname(dirname(kernelFile));
    const others = [
      join(cache, 'wb', 'kernel.py'),
      join(cache, 'xx', 'cwbsjnguckvc6zn4iuijgcx4gvmklszhlwuas72gpzi6in4xzag6.py'),
      `/${kernelFile}`,
      `\\\\host\\share\\wb\\cwbsjnguckvc6zn4iuijgcx4gvmklszhlwuas72gpzi6in4xzag6.py`,
      kernelFile.slice(1),
    ];
    for (const other of others) expect(await kernelSitesInCache({kernelFile: other, keys: [key]}), other).toEqual([]);
  });

  it('reads no folder, and no file that is too large', async () => {
    const kernelFile = writeCache(join(folder, 'strange'), 'large', Buffer.alloc((32 << 20) + 1));
    mkdirSync(join(folder, 'strange', 'fxgraph', key.slice(1, 3), key, 'folder'));
    expect(await kernelSitesInCache({kernelFile, keys: [key]})).toEqual([]);
  });
});

describe('a profile that names a kernel’s file', () => {
  it('has the lines of its kernels in compiled_sum, ranges and queries; another kernel is inside its region', () => {
    const path = writeTrace('here.json', writeCache(join(folder, 'here')));
    const rows = json('stats', path, '-r', 'compiled_sum') as Record<string, unknown>[];
    expect(new Map(rows.map(row => [row['Operator'], row['Lines']]))).toEqual(
      new Map([
        [softmax, '/tmp/demo/model.py:5, /tmp/demo/model.py:6'],
        [sum, '/tmp/demo/model.py:6'],
        ['triton_poi_fused_add_9', 'inside compiled region'],
      ]),
    );
    const ranges = json('ranges', path, '--kinds', 'op') as {name: string; file: string | null; line: number | null}[];
    expect(ranges.find(({name}) => name === sum)).toMatchObject({file: '/tmp/demo/model.py', line: 6});
    const sql = "SELECT name, line FROM lines WHERE kind = 'compiled kernel' ORDER BY name, line";
    expect(json('query', path, sql)).toEqual(sites.map(({name, line}) => ({name, line})));
  });

  it('has none where the cache is gone, or the profile does not name the file', () => {
    for (const path of [
      writeTrace('gone.json', '/gone/wb/cwbsjnguckvc6zn4iuijgcx4gvmklszhlwuas72gpzi6in4xzag6.py'),
      writeTrace('unnamed.json', null),
    ]) {
      const rows = json('stats', path, '-r', 'compiled_sum') as Record<string, unknown>[];
      expect(rows.map(row => row['Lines'])).toEqual(Array(3).fill('inside compiled region'));
    }
  });

  it.skipIf(!hasData)('is known by PyTorch’s own names in a real trace', async () => {
    const path = join(dataFolder, 'kineto', 'torch-compile-triton-mi300.json.gz');
    expect(await readCompiledGraphs(await opened(path), await openTrace(path))).toEqual({
      kernelFile: '/tmp/torchinductor_root/mw/cmwjlpfu2kb4ehcuvblmjopjzi4rp4n2rtyqnvbbrb4xvqkksyqd.py',
      keys: ['fal4xpiah2v6blbfmwwonu52dvevbsmlh743q5tkclrt4gcqpzea'],
    });
  });
});
