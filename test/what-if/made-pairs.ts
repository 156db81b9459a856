import {spawnSync} from 'node:child_process';
import {mkdirSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';

/** The programs of programs/pairs.py, and the change that leads from one form to the other. */
export const madePairs: readonly {readonly name: string; readonly change: string}[] = [
  {name: 'sleep_removed', change: 'faster=pause:inf'},
  {name: 'item_removed', change: 'remove-sync'},
  {name: 'loop_batched', change: 'fuse=products'},
  {name: 'allocation_hoisted', change: 'faster=allocate:inf'},
  {name: 'loader_workers', change: 'loader-workers=2'},
];

/** A disturbance rarely affects all recordings of one program. */
const turns = 6;

/** Records both forms of all programs, several times each; returns the profiles of a program. */
export function recordPairs(
  program: string,
  python: string,
  folder: string,
): (name: string) => {readonly before: readonly string[]; readonly after: readonly string[]} {
  const forms = ['before', 'after'];
  for (const form of forms) {
    rmSync(join(folder, form), {recursive: true, force: true});
    mkdirSync(join(folder, form), {recursive: true});
  }
  // In turn, so that other programs affect both alike.
  for (let turn = 0; turn < turns; turn++) {
    for (const form of forms) {
      const words = [program, form, join(folder, form), String(turn)];
      const {status, stderr} = spawnSync(python, words, {encoding: 'utf8'});
      if (status !== 0) throw new Error(`The pairs could not be recorded: ${stderr}`);
    }
  }
  const of = (form: string, name: string) =>
    readdirSync(join(folder, form))
      .filter(file => file.startsWith(`${name}-`))
      .map(file => join(folder, form, file));
  return name => ({before: of('before', name), after: of('after', name)});
}
