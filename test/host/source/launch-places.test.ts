import {describe, expect, it} from 'vitest';
import type {LaunchSource} from '../../../src/core/questions/launch-sources.js';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {launchPlaces} from '../../../src/host/source/launch-places.js';
import type {SourcePaths} from '../../../src/host/source/source-paths.js';
import {createTagReader} from '../../../src/source/tag-reader.js';

describe('launchPlaces(sources, seen, index, paths)', async () => {
  const text = [
    'from torch.profiler import record_function',
    'with record_function("mlp"): ...',
    'with record_function("mlp"): ...',
    'with record_function(f"{op}_fused"): ...',
  ].join('\n');
  const index = new SourceIndex();
  const reader = await createTagReader('python');
  index.set('/w/a.py', {tags: reader.tags(text), modules: [], compiled: []});
  const asked: string[] = [];
  const paths = {
    find: (path: string) => {
      asked.push(path);
      return Promise.resolve(path === 'unsure.py' ? undefined : path === 'gone.py' ? null : `/w/${path}`);
    },
  } as unknown as SourcePaths;
  const source = (names: string[], gpuWorkNs: number, operator: string | null = null): LaunchSource => ({
    ...{operator, operatorSlice: -1, names, instances: 1, gpuWorkNs},
  });
  const found = async (sources: LaunchSource[], kernels: {name: string; file: string; line: number}[] = []) =>
    (await launchPlaces(sources, {sidecar: null, kernels}, index, paths))?.map(
      ({file, line, name, gpuWorkNs}) => `${file}:${String(line)} ${name} ${String(gpuWorkNs)}`,
    );

  it('has the nearest name with a line, the work of sources that share it summed', async () => {
    expect(await found([source(['untagged', 'mlp', 'model.py(7): f'], 5), source(['mlp'], 6)])).toEqual([
      '/w/a.py:2 mlp 11',
      '/w/a.py:3 mlp 11',
    ]);
    expect(asked).toEqual([]);
    expect(await found([source(['model.py(7): f'], 5), source(['gone.py(1): f'], 9)])).toEqual([
      '/w/model.py:7 model.py(7): f 5',
    ]);
  });

  it('has the lines that a compiled kernel comes from; of other operators none', async () => {
    const kernels = [{name: 'triton_fused', file: 'model.py', line: 12}];
    expect(await found([source(['mlp'], 5, 'triton_fused'), source([], 6, 'mm_fused')], kernels)).toEqual([
      '/w/model.py:12 triton_fused 5',
    ]);
  });

  it('has a line once, however many names it opened', async () => {
    const steps = Array.from({length: 300}, (_, at) => source([`step_${String(at)}_fused`], at === 7 ? 9 : 1));
    expect(await launchPlaces(steps, null, index, paths)).toEqual([
      {
        file: '/w/a.py',
        line: 4,
        endLine: 4,
        tag: expect.anything() as unknown,
        name: 'step_7_fused',
        names: 300,
        instances: 300,
        gpuWorkNs: 308,
      },
    ]);
  });

  it('is undefined where the user was asked for a file and chose none', async () => {
    expect(await found([source(['unsure.py(3): f'], 5)])).toBeUndefined();
  });
});
