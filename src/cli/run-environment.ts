import {dirname, resolve} from 'node:path';
import {outerEnvironment} from '../launch/programs/outer-environment.js';
import {withFolderFirst} from '../launch/programs/search-path.js';

/**
 * Returns the environment of a command that is run: that of this process. Where an interpreter was chosen, its folder comes
 * first on PATH, as when its environment is activated: the `python` in a shell script is that one.
 *
 * @param python path of the interpreter, also from the working directory, or a name on PATH; null where none was chosen
 */
export function runEnvironment(python: string | null): NodeJS.ProcessEnv {
  const own = outerEnvironment(process.env);
  // A name is found on PATH as it is.
  if (python === null || !/[\\/]/.test(python)) return own;
  return withFolderFirst(own, dirname(resolve(python)));
}
