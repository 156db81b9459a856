// Writes the results of runs of the suite into the tables of docs/testing.md.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {root, run} from '../run.mjs';

const page = 'docs/testing.md';

/** The commit that is checked out, with "+ changes" if files other than the page of records differ from it. */
export async function checkedOutCommit() {
  const {stdout: commit} = await run('git', ['rev-parse', '--short=9', 'HEAD'], {quiet: true});
  const {stdout: status} = await run('git', ['status', '--porcelain', '--', '.', `:!${page}`], {quiet: true});
  return commit.trim() + (status.trim() === '' ? '' : ' + changes');
}

/** Appends a row to the table below `<!-- table: NAME -->`, and formats the page. */
export async function appendRow(name, cells) {
  const path = join(root, page);
  const {format, resolveConfig} = await import('prettier');
  const text = withRow(readFileSync(path, 'utf8'), name, cells);
  writeFileSync(path, await format(text, {...(await resolveConfig(path)), filepath: path}));
}

/** A page with one more row in a table; throws if it has no such table. */
export function withRow(text, name, cells) {
  const lines = text.split('\n');
  const mark = lines.indexOf(`<!-- table: ${name} -->`);
  const start = lines.findIndex((line, at) => at > mark && line.startsWith('|'));
  if (mark < 0 || start < 0) throw new Error(`${page} has no table named ${name}.`);
  let end = start;
  while (lines[end]?.startsWith('|')) end++;
  lines.splice(end, 0, `| ${cells.join(' | ')} |`);
  return lines.join('\n');
}

/** Today and now, to the minute, in UTC. */
export function nowUtc() {
  return new Date().toISOString().slice(0, 16).replace('T', ' ');
}

/** A time in minutes and seconds, as `12 min 30 s`. */
export function inMinutes(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
