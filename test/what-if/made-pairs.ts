import {spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

/** The programs of programs/pairs.py, and the change that leads from one form to the other. */
export const madePairs: readonly {readonly name: string; readonly change: string}[] = [
  {name: 'sleep_removed', change: 'faster=pause:inf'},
  {name: 'item_removed', change: 'remove-sync'},
  {name: 'loop_batched', change: 'fuse=products'},
  {name: 'allocation_hoisted', change: 'faster=allocate:inf'},
  {name: 'loader_workers', change: 'data-loader=0'},
];

/** Each form is recorded so often, in turn: another program on the machine disturbs some recordings, seldom all. */
const recordings = 3;

/** Records both forms of all programs; returns the profiles of a program. */
export function recordPairs(
  program: string,
  python: string,
  folder: string,
): (name: string) => {readonly before: readonly string[]; readonly after: readonly string[]} {
  const folderOf = (form: string, turn: number) => join(folder, `${form}-${String(turn)}`);
  for (let turn = 0; turn < recordings; turn++) {
    for (const form of ['before', 'after']) {
      mkdirSync(folderOf(form, turn), {recursive: true});
      const {status, stderr} = spawnSync(python, [program, form, folderOf(form, turn)], {encoding: 'utf8'});
      if (status !== 0) throw new Error(`The pairs could not be recorded: ${stderr}`);
    }
  }
  const of = (form: string, name: string) =>
    Array.from({length: recordings}, (_, turn) => join(folderOf(form, turn), `${name}.pt.trace.json`));
  return name => ({before: of('before', name), after: of('after', name)});
}
