import {isAbsolute, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {findOnPath, isProgram} from '../programs/find-program.js';

/** The editor's knowledge of interpreters. */
export interface InterpreterHints {
  /** The interpreter selected in the Python extension. */
  readonly selected: string | null;
  /** The setting `gpuLens.python`. */
  readonly setting: string | null;
  /** The setting's name in messages; `gpuLens.python` by default. */
  readonly settingName?: string;
  readonly workspaceFolders: readonly string[];
  /** The PATH to search; by default this process's. */
  readonly searchPath?: string;
}

export interface Interpreter {
  readonly path: string;
  /** Why this one was chosen, for the log. */
  readonly chosenBy: string;
}

const isWindows = process.platform === 'win32';
const venvFolders = ['.venv', 'venv', 'env'];
const interpreterInVenv = isWindows ? join('Scripts', 'python.exe') : join('bin', 'python');
const namesOnPath = isWindows ? ['python.exe', 'python3.exe'] : ['python3', 'python'];

/**
 * Returns the Python to run a script with: the Python extension's, else the setting's, else the workspace's virtual
 * environment's, else the first on PATH.
 *
 * @throws TraceError `launch/no-python` if there is none, or if the setting names one that cannot be run
 */
export async function findPython(hints: InterpreterHints): Promise<Interpreter> {
  const {settingName = 'the setting gpuLens.python'} = hints;
  // The Python extension may know only an environment's folder.
  for (const path of hints.selected === null ? [] : [hints.selected, join(hints.selected, interpreterInVenv)]) {
    if (await isProgram(path)) return {path, chosenBy: 'the Python extension'};
  }
  if (hints.setting !== null) {
    const path = await resolve(hints.setting, hints);
    if (path === null) {
      throw new TraceError('launch/no-python', `${capital(settingName)} names ${hints.setting}, which cannot be run.`);
    }
    return {path, chosenBy: settingName};
  }
  for (const folder of hints.workspaceFolders) {
    for (const venv of venvFolders) {
      const path = join(folder, venv, interpreterInVenv);
      if (await isProgram(path)) return {path, chosenBy: `the virtual environment ${venv}`};
    }
  }
  for (const name of namesOnPath) {
    const path = await findOnPath(name, hints.searchPath);
    if (path !== null) return {path, chosenBy: 'PATH'};
  }
  throw new TraceError('launch/no-python', 'No Python was found: select an interpreter, or set gpuLens.python.');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Resolves an absolute path, a path from a workspace folder, or a name on PATH. */
async function resolve(value: string, hints: InterpreterHints): Promise<string | null> {
  if (isAbsolute(value)) return (await isProgram(value)) ? value : null;
  for (const folder of hints.workspaceFolders) {
    const path = join(folder, value);
    if (await isProgram(path)) return path;
  }
  return /[\\/]/.test(value) ? null : findOnPath(value, hints.searchPath);
}

/** Returns whether a program of a command line is a Python: `python`, `/usr/bin/python3.11`, `pythonw.exe`. */
export function isPython(program: string): boolean {
  return /^(python|pypy)w?[\d.]*(\.exe)?$/i.test(program.split(/[\\/]/).at(-1) ?? '');
}
