import {describe, expect, it} from 'vitest';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {placesOfNames} from '../../../src/host/source/source-places.js';
import type {SourcePaths} from '../../../src/host/source/source-paths.js';
import {createTagReader} from '../../../src/source/tag-reader.js';

describe('placesOfNames(names, seen, index, paths)', async () => {
  const text = [
    'from torch.profiler import record_function',
    'with record_function(f"layer_{i}"): ...',
    'with record_function("layer_1"): ...',
  ].join('\n');
  const index = new SourceIndex();
  const reader = await createTagReader('python');
  index.set('/w/a.py', {tags: reader.tags(text), modules: [], compiled: []});
  const paths = {
    find: (path: string) => Promise.resolve(path === 'unsure.py' ? undefined : `/w/${path}`),
  } as unknown as SourcePaths;
  const found = async (...names: string[]) =>
    (await placesOfNames(names, null, index, paths))?.map(({line, name}) => `${String(line)} ${name}`);

  it('has each line that opens one of them once, with the first name that led there', async () => {
    expect(await found('layer_0', 'layer_1', 'layer_2')).toEqual(['2 layer_0', '3 layer_1']);
    expect(await found('untagged')).toEqual([]);
    expect(await found()).toEqual([]);
  });

  it('is undefined where the user was asked for a file and chose none', async () => {
    expect(await found('layer_0', 'unsure.py(3): f')).toBeUndefined();
  });
});
