import {describe, expect, it, vi} from 'vitest';
import {readSettings, section} from '../../src/host/base/settings.js';
import {readManifest} from '../support/read-manifest.js';

const editor = vi.hoisted((): {get: (key: string) => unknown} => ({get: () => undefined}));
vi.mock('vscode', () => ({workspace: {getConfiguration: () => ({get: (key: string) => editor.get(key)})}}));

interface Declared {
  readonly default?: unknown;
  readonly order: number;
}
type Group = Readonly<Record<string, Declared>>;
type Reading = (get: (key: string) => unknown) => unknown;

const groups = (readManifest() as {contributes: {configuration: {properties: Group}[]}}).contributes.configuration.map(
  ({properties}) => properties,
);

const read: Reading = get => {
  editor.get = get;
  return readSettings();
};

/** Returns a sentence for each place of a setting that is missing or wrong; none if package.json and the code agree. */
function settingFaults(declared: readonly Group[], reading: Reading): string[] {
  const asked = new Set<string>();
  const unset = JSON.stringify(
    reading(key => {
      asked.add(`${section}.${key}`);
      return undefined;
    }),
  );
  const settings = declared.flatMap(group => Object.entries(group));
  const names = new Set(settings.map(([name]) => name));
  const withDefault = (name: string, {default: value}: Declared) =>
    JSON.stringify(reading(key => (name === `${section}.${key}` ? value : undefined)));
  return [
    ...[...asked]
      .filter(name => !names.has(name))
      .map(name => `settings.ts reads ${name}: declare it in package.json, in a group of contributes.configuration.`),
    ...settings
      .filter(([name]) => !asked.has(name))
      .map(([name]) => `package.json declares ${name}: read it in readSettings of src/host/base/settings.ts.`),
    ...settings
      .filter(([name, setting]) => asked.has(name) && withDefault(name, setting) !== unset)
      .map(
        ([name, setting]) =>
          `${name} is ${JSON.stringify(setting.default)} by default in package.json, and something else in settings.ts.`,
      ),
    ...declared.flatMap(group =>
      Object.entries(group)
        .filter(([, {order}], at) => order !== at + 1)
        .slice(0, 1)
        .map(([name]) => `From ${name} on, the orders of its group in package.json are not 1, 2, 3 and so on.`),
    ),
  ];
}

describe('a setting', () => {
  it('is declared where it is read, has one default, and stands in the order of its group', () => {
    expect(groups).toHaveLength(4);
    expect(settingFaults(groups, read)).toEqual([]);
  });

  const name = `${section}.dummy`;
  const added = (setting: Declared): Group[] => [...groups.slice(0, -1), {...groups.at(-1), [name]: setting}];
  const order = Object.keys(groups.at(-1) ?? {}).length + 1;
  const readDummy: Reading = get => ({...(read(get) as object), dummy: get('dummy') ?? true});

  it('is two places: its declaration in package.json, and how it is read', () => {
    expect(settingFaults(added({order, default: true}), readDummy)).toEqual([]);
  });

  it.each([
    [
      'declared',
      groups,
      readDummy,
      `settings.ts reads ${name}: declare it in package.json, in a group of contributes.configuration.`,
    ],
    [
      'read',
      added({order, default: true}),
      read,
      `package.json declares ${name}: read it in readSettings of src/host/base/settings.ts.`,
    ],
    [
      'read with its default',
      added({order, default: false}),
      readDummy,
      `${name} is false by default in package.json, and something else in settings.ts.`,
    ],
    [
      'in order',
      added({order: 1, default: true}),
      readDummy,
      `From ${name} on, the orders of its group in package.json are not 1, 2, 3 and so on.`,
    ],
  ])('that is not %s is told in a sentence', (_, declared, reading, sentence) => {
    expect(settingFaults(declared, reading)).toEqual([sentence]);
  });
});
