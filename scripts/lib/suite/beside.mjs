// Load during a run of the suite: loops in separate processes.
import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {node24, out} from '../run.mjs';

const busyLoop = 'for (;;) {}';
const syncingLoop = `
  const {closeSync, fsyncSync, openSync, writeSync} = require('node:fs');
  const data = Buffer.alloc(4 << 20, 7);
  for (;;) {
    const file = openSync(process.argv[1], 'w');
    writeSync(file, data);
    fsyncSync(file);
    closeSync(file);
  }`;

/** Starts the load of a condition (quiet, busy, syncing). Returns a function that ends it. */
export function startBeside(condition) {
  if (condition === 'quiet') return () => undefined;
  // A fresh clone has no such folder before its first run.
  mkdirSync(out, {recursive: true});
  const folder = mkdtempSync(join(out, 'beside-'));
  const programs = condition === 'busy' ? [busyLoop, busyLoop] : [syncingLoop];
  const children = programs.map(code => spawn(node24, ['-e', code, join(folder, 'file')], {stdio: 'ignore'}));
  const stop = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, {recursive: true, force: true});
  };
  process.once('exit', stop);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  return stop;
}
