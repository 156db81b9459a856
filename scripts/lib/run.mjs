// Runs programs with the right Node first on PATH, and shows their output if wanted.
import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {constants} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {commandOf} from './command.mjs';
import {SetupError} from './setup-error.mjs';

/** The checkout. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const out = join(root, 'out');

/** Node 24 from npm: better-sqlite3 needs Node 22 or later, and VS Code's server exactly this major version. */
export const node24 = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Returns the environment of every program that the scripts start. */
export function environment(extra = {}) {
  const path = [dirname(node24), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  return {...process.env, PATH: path, npm_config_update_notifier: 'false', ...extra};
}

/** Returns what unsets environment variables, where `run`, `spawn` or `environment` take more of them. */
export function unset(names) {
  return Object.fromEntries(names.map(name => [name, undefined]));
}

/** Running programs that `run` has started. They end with this script, even if a signal ends it. */
const running = new Set();
const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];

function endWithScript(child) {
  if (running.size === 0) {
    // Before other listeners remove the files that they write.
    process.prependListener('exit', endRunning);
    for (const signal of signals) process.on(signal, endScript);
  }
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    if (running.size > 0) return;
    process.off('exit', endRunning);
    for (const signal of signals) process.off(signal, endScript);
  });
}

function endRunning() {
  for (const child of running) child.kill('SIGTERM');
}

function endScript(signal) {
  process.exit(128 + constants.signals[signal]);
}

/**
 * Runs a program to its end. Resolves with its status and output; `quiet` keeps the output from the terminal, and shows
 * it only if the program fails.
 */
export function run(program, args, {cwd = root, env = {}, quiet = false, input} = {}) {
  return new Promise((resolve, reject) => {
    const command = commandOf(program, args);
    const child = spawn(command.program, command.args, {
      cwd,
      env: environment(env),
      windowsVerbatimArguments: command.isVerbatim,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    endWithScript(child);
    let output = '';
    let stdout = '';
    child.stdout.on('data', data => {
      output += data;
      stdout += data;
      if (!quiet) process.stdout.write(data);
    });
    child.stderr.on('data', data => {
      output += data;
      if (!quiet) process.stderr.write(data);
    });
    if (input !== undefined) child.stdin.end(input);
    child.on('error', reject);
    child.on('close', status => resolve({status: status ?? 1, output, stdout}));
  });
}

/**
 * Runs a program that must succeed.
 *
 * @throws SetupError with its status; its output is printed
 */
export async function must(program, args, options = {}) {
  const result = await run(program, args, options);
  if (result.status !== 0) {
    if (options.quiet) process.stderr.write(result.output);
    throw new SetupError(`${[program, ...args].join(' ')} failed with status ${result.status}.`);
  }
  return result;
}

/** Performs a step once for each `version`: `mark` records that it was done. */
export async function once(mark, version, step) {
  if (isMarked(mark, version)) return;
  await step();
  mkdirSync(dirname(mark), {recursive: true});
  writeFileSync(mark, version);
}

/** Returns whether `once` has taken a step of this version. */
export function isMarked(mark, version) {
  return existsSync(mark) && readFileSync(mark, 'utf8') === version;
}

/** Prints a line for the user. */
export function say(text) {
  process.stdout.write(`${text}\n`);
}
