import {posix, win32} from 'node:path';

/** Returns the PATH of an environment; on Windows its name is `Path`, in any case. */
export function searchPathOf(env: NodeJS.ProcessEnv, isWindows = process.platform === 'win32'): string | undefined {
  return env[variableIn(env, isWindows)];
}

/** Returns an environment that searches a folder for programs first, as if that folder's environment were activated. */
export function withFolderFirst(
  env: NodeJS.ProcessEnv,
  folder: string,
  isWindows = process.platform === 'win32',
): NodeJS.ProcessEnv {
  // Of two variables whose names differ only in case, a Windows process would get only one.
  const name = variableIn(env, isWindows);
  return {...env, [name]: [folder, env[name] ?? ''].join((isWindows ? win32 : posix).delimiter)};
}

function variableIn(env: NodeJS.ProcessEnv, isWindows: boolean): string {
  return (isWindows ? Object.keys(env).find(name => name.toUpperCase() === 'PATH') : undefined) ?? 'PATH';
}
