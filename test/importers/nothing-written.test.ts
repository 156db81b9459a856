import {copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, extname, join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {readSliceArguments} from '../../src/importers/slice-arguments.js';
import {folderState} from '../support/folder-state.js';
import {opened} from '../support/opened-file.js';
import {project, temporaryFolder} from '../support/project.js';
import {itEachFile} from '../support/each-file.js';
import {dataFiles} from '../support/real-data.js';

const fixtures = join(project, 'test', 'fixtures');
const folder = temporaryFolder();
let count = 0;

function copied(path: string): string {
  const own = newFolder();
  copyFileSync(path, join(own, basename(path)));
  return join(own, basename(path));
}

/** Fixtures in SQL that add to the tables of another one. */
const basis: Readonly<Record<string, string>> = {'events.sql': 'worked.sql', 'beside.sql': 'reports.sql'};

/** A database of the tables of a fixture in SQL. */
function made(sql: string): string {
  const path = join(newFolder(), 'made.sqlite');
  const db = new Database(path);
  const below = basis[basename(sql)];
  if (below !== undefined) db.exec(readFileSync(join(dirname(sql), below), 'utf8'));
  db.exec(readFileSync(sql, 'utf8'));
  db.close();
  return path;
}

function newFolder(): string {
  const path = join(folder, String(count++));
  mkdirSync(path);
  return path;
}

const kinds = new Set(['.gz', '.txt', '.sql']);
const all = readdirSync(fixtures, {recursive: true, encoding: 'utf8'})
  .filter(name => kinds.has(extname(name)))
  .sort();

describe('opening a profile', () => {
  it.each(all)('changes nothing in its folder: %s', async name => {
    const source = join(fixtures, name);
    await openUnchanged(name.endsWith('.sql') ? made(source) : copied(source));
  });

  it('changes nothing where the folder holds files under the names that SQLite uses', async () => {
    const path = made(join(fixtures, 'nsys', 'worked.sql'));
    for (const end of ['-wal', '-shm', '-journal']) writeFileSync(path + end, '');
    await openUnchanged(path);
  });

  const real = [...dataFiles('nsys', '.sqlite'), ...dataFiles('trust', '.sqlite')];
  itEachFile(real)('changes nothing in the folder of $name', async ({path}) => {
    const before = folderState(dirname(path));
    await openTrace(path).catch(() => null);
    expect(folderState(dirname(path))).toEqual(before);
  });
});

/** Opens a profile, and asks for all that is read from the file again later. */
async function openUnchanged(path: string): Promise<void> {
  const before = folderState(dirname(path));
  const trace = await openTrace(path).catch(() => null);
  if (trace) {
    const file = await opened(path);
    await readSliceArguments(file, trace, 0);
    await loadReportDetails(path, trace, new Set(['calls', 'ranges', 'grids'] as const));
  }
  expect(folderState(dirname(path))).toEqual(before);
}
