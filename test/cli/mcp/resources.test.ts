import {realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {readResource} from '../../../src/cli/mcp/resources.js';
import {temporaryFolder} from '../../support/project.js';

const folder = realpathSync(temporaryFolder());
const profile = join(folder, 'profile.json');
writeFileSync(profile, '');

/** Returns the notes of a profile of which the command line prints this. */
async function notesOf(printed: object): Promise<Record<string, unknown>> {
  const program = join(folder, 'command-line.cjs');
  writeFileSync(program, `console.log(${JSON.stringify(JSON.stringify(printed))})`);
  const limits = {roots: [folder], allowed: [], python: null, client: ''};
  const serving = {program, limits, mask: (text: string) => text};
  const uri = `gpu-lens://notes/${encodeURIComponent(profile)}`;
  const {text} = await readResource(uri, folder, serving, new AbortController().signal);
  return JSON.parse(text) as Record<string, unknown>;
}

const note = (at: number) => ({code: 'events/unread', text: `${String(at)} ${'x'.repeat(150)}`});

it('the notes of a profile say how many there are, where the next begin, and what all have alike', async () => {
  const {data, ...rest} = await notesOf({format: 'kineto', notes: Array.from({length: 90}, (_, at) => note(at))});
  const {notes} = data as {notes: readonly object[]};
  expect(notes.length).toBeLessThan(90);
  expect(rest).toMatchObject({
    ...{total: 90, offset: 0, nextOffset: notes.length},
    inEveryRow: {code: 'events/unread'},
  });
});

it('the notes of a profile are not counted as another list of it is, and say whether they are cut', async () => {
  const devices = Array.from({length: 90}, (_, at) => ({name: `GPU ${String(at)} ${'x'.repeat(150)}`}));
  const few = await notesOf({devices, notes: [note(0)]});
  expect(few).toEqual({untrusted: expect.any(String) as string, data: {notes: [note(0)]}});
  const many = await notesOf({devices, notes: Array.from({length: 40}, (_, at) => note(at))});
  expect(many['cut']).toMatch(/left out/);
});
