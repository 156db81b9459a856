import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {project} from './project.js';

/** Creates a small nsys export (test/fixtures/nsys/worked.sql) at a path, changed by some SQL; returns the path. */
export function writeNsysDatabase(path: string, sql = ''): string {
  rmSync(path, {force: true});
  const db = new Database(path);
  db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8'));
  db.exec(sql);
  db.close();
  return path;
}
