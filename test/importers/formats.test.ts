import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {profileEndings} from '../../src/host/base/profile-endings.js';
import {formatOf, formats} from '../../src/importers/formats.js';
import type {PatternUse} from '../../src/importers/reading/importer.js';
import {project} from '../support/project.js';
import {plainFacts} from '../support/plain-facts.js';

interface Manifest {
  readonly contributes: {
    readonly customEditors: readonly {
      readonly viewType: string;
      readonly priority: string;
      readonly selector: readonly {readonly filenamePattern: string}[];
    }[];
    readonly menus: Readonly<Record<string, readonly {readonly command: string; readonly when?: string}[]>>;
  };
}

const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;
const patternsOf = (...uses: readonly PatternUse[]) => {
  const named = formats.flatMap(({patterns}) => Object.entries(patterns)).filter(([, use]) => uses.includes(use));
  return [...new Set(named.map(([pattern]) => pattern))];
};
const menuPatterns = patternsOf('default', 'open-with', 'menu');
const selectedBy = (type: string) =>
  manifest.contributes.customEditors
    .filter(({viewType}) => viewType === type)
    .flatMap(({selector}) => selector.map(({filenamePattern}) => filenamePattern))
    .sort();
const priorityOf = (type: string) =>
  manifest.contributes.customEditors.find(({viewType}) => viewType === type)?.priority;
const lastEnding = (name: string) => name.split('.').at(-1) ?? '';

describe('the list of formats', () => {
  it('is what package.json opens as a timeline by itself, and offers to open', () => {
    expect(priorityOf('gpuLens.trace')).toBe('default');
    expect(selectedBy('gpuLens.trace')).toEqual(patternsOf('default').sort());
    expect(priorityOf('gpuLens.anyTrace')).toBe('option');
    expect(selectedBy('gpuLens.anyTrace')).toEqual(patternsOf('open-with').sort());
    // Only profilers write these names.
    expect(patternsOf('default').sort()).toEqual(['*.nsys-rep', '*.pt.trace.json', '*.pt.trace.json.gz', '*.qdrep']);
  });

  it('does not take pickles from their owners: the memory view is offered for them, and no default', () => {
    const memory = manifest.contributes.customEditors.find(({viewType}) => viewType === 'gpuLens.memory');
    expect(memory?.priority).toBe('option');
  });

  it('is what the explorer offers to open and to compare', () => {
    const offers = ['gpuLens.openProfile', 'gpuLens.compareWith'];
    const items =
      manifest.contributes.menus['explorer/context']?.filter(
        ({command, when}) => offers.includes(command) && when?.includes('sqlite'),
      ) ?? [];
    expect(items.map(({command}) => command)).toEqual(offers);
    for (const {when} of items) {
      const [, source = ''] = /resourceFilename =~ \/(.+)\/$/.exec(when ?? '') ?? [];
      const offered = new RegExp(source);
      expect(menuPatterns.filter(pattern => !offered.test(pattern.replace('*', 'x')))).toEqual([]);
      const endings = (/\\\.\((.+)\)\$/.exec(source)?.[1] ?? '').replaceAll('\\', '').split('|');
      expect(endings.filter(ending => !menuPatterns.includes(`*.${ending}`))).toEqual([]);
    }
  });

  it('is what the dialog shows', () => {
    expect([...profileEndings].sort()).toEqual(
      [...new Set(patternsOf('default', 'open-with', 'menu', 'dialog').map(lastEnding))].sort(),
    );
  });

  it('has a short name once', () => {
    const names = formats.flatMap(({format, variants = []}) => [format, ...variants]);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('formatOf(trace) is the format that the trace names, and an error for one that nobody reads', () => {
  const named = (format: string) => formatOf({meta: {...plainFacts.meta, format}});
  expect(formats.map(({format}) => named(format))).toEqual(formats);
  expect(named('chrome').format).toBe('kineto');
  expect(() => named('none')).toThrow('No importer reads the format none.');
});
