import {homedir} from 'node:os';
import {join} from 'node:path';
import {environmentVariable} from './environment-variable.js';

/** Returns a folder of the user's cache, which may not exist yet: its files can all be made again. */
export function userCacheFolder(name: string): string {
  return join(environmentVariable('XDG_CACHE_HOME') ?? join(homedir(), '.cache'), 'gpu-lens', name);
}
