import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commandIds} from '../../src/host/base/command-ids.js';
import {profilePanels} from '../../src/host/base/profile-panels.js';
import {project} from '../support/project.js';
import {readManifest} from '../support/read-manifest.js';

interface Contributed {
  readonly command: string;
  readonly category: string;
}

const {commands} = (readManifest() as {contributes: {commands: Contributed[]}}).contributes;

/** Commands that only the extension itself runs. */
const internal: readonly string[] = [
  commandIds.showRangeInTimeline,
  commandIds.showRangeFlame,
  commandIds.showRangeKernels,
  commandIds.compareRuns,
  commandIds.showUntagged,
  commandIds.tagEveryForward,
  commandIds.recordStacksAgain,
  commandIds.showProfileView,
  commandIds.showActiveJob,
  commandIds.showRank,
  commandIds.openSweep,
];
const ofPanels: readonly string[] = Object.values(profilePanels).map(({command}) => command);

/** The names in `commandIds` that a table of commands has, as `[commandIds.openProfile]: …`. */
const registered = readdirSync(join(project, 'src', 'host'), {recursive: true, encoding: 'utf8'})
  .filter(file => file.endsWith('.ts'))
  .flatMap(file => [...readFileSync(join(project, 'src', 'host', file), 'utf8').matchAll(/\[commandIds\.(\w+)\]: /g)])
  .map(([, name = '']) => name);

/** Returns a sentence for each place of a command that is missing; none if all are there. */
function commandFaults(
  ids: Readonly<Record<string, string>>,
  contributed: readonly string[],
  runs: readonly string[],
): string[] {
  const all = Object.entries(ids);
  const known = new Set([...all.map(([, id]) => id), ...ofPanels]);
  return [
    ...all
      .filter(([name]) => !runs.includes(name))
      .map(([name, id]) => `Nothing runs ${id}: add [commandIds.${name}] to extension.ts, or to its area's services.`),
    ...all
      .filter(([name]) => runs.filter(each => each === name).length > 1)
      .map(([, id]) => `${id} is registered twice, which VS Code refuses.`),
    ...[...all.map(([, id]) => id), ...ofPanels]
      .filter(id => !contributed.includes(id) && !internal.includes(id))
      .map(id => `package.json lacks ${id}: add it to contributes.commands, or to the internal ones of this test.`),
    ...contributed
      .filter(id => internal.includes(id))
      .map(id => `package.json has ${id}: take it out of the internal ones of this test.`),
    ...contributed
      .filter(id => !known.has(id))
      .map(id => `package.json has ${id}: add it to src/host/base/command-ids.ts.`),
  ];
}

describe('a command of the editor', () => {
  const contributed = commands.map(({command}) => command);

  it('is registered once, and in package.json unless it is internal', () => {
    expect(commandFaults(commandIds, contributed, registered)).toEqual([]);
    expect(new Set(contributed).size).toBe(contributed.length);
    for (const {category} of commands) expect(category).toBe('GPU Lens');
  });

  const dummy = 'gpuLens.dummy';
  const ids = {...commandIds, dummy};

  it('is its id, its entry in package.json, and its line in a table of commands', () => {
    expect(commandFaults(ids, [...contributed, dummy], [...registered, 'dummy'])).toEqual([]);
  });

  it.each([
    [
      'its line',
      ids,
      [...contributed, dummy],
      registered,
      `Nothing runs ${dummy}: add [commandIds.dummy] to extension.ts, or to its area's services.`,
    ],
    [
      'its entry in package.json',
      ids,
      contributed,
      [...registered, 'dummy'],
      `package.json lacks ${dummy}: add it to contributes.commands, or to the internal ones of this test.`,
    ],
    [
      'its id',
      commandIds,
      [...contributed, dummy],
      registered,
      `package.json has ${dummy}: add it to src/host/base/command-ids.ts.`,
    ],
  ])('without %s is told in a sentence', (_, known, inManifest, runs, sentence) => {
    expect(commandFaults(known, inManifest, runs)).toEqual([sentence]);
  });
});
