import {posix, win32} from 'node:path';

/** The folders in which an environment has programs looked for; Windows calls them `Path`, in letters of any size. */
export function searchPathOf(env: NodeJS.ProcessEnv, isWindows = process.platform === 'win32'): string | undefined {
  return env[variableIn(env, isWindows)];
}

/** An environment in which the programs of a folder come first, as where that folder's environment is activated. */
export function withFolderFirst(
  env: NodeJS.ProcessEnv,
  folder: string,
  isWindows = process.platform === 'win32',
): NodeJS.ProcessEnv {
  // Of two variables that differ in the size of their letters alone, a process of Windows would get one only.
  const name = variableIn(env, isWindows);
  return {...env, [name]: [folder, env[name] ?? ''].join((isWindows ? win32 : posix).delimiter)};
}

function variableIn(env: NodeJS.ProcessEnv, isWindows: boolean): string {
  return (isWindows ? Object.keys(env).find(name => name.toUpperCase() === 'PATH') : undefined) ?? 'PATH';
}
