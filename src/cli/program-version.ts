import {createRequire} from 'node:module';
import {join} from 'node:path';

/** The version of the package that the command line lies in. */
export function programVersion(): string {
  return (createRequire(__filename)(join(__dirname, '..', 'package.json')) as {version: string}).version;
}
