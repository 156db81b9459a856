import {createRequire} from 'node:module';
import {join} from 'node:path';

/** The version of docs/schema: it grows by one when what a program reads in the JSON goes away or means something else. */
const schemaVersion = 1;

/** The version of the package that the command line lies in. */
export function programVersion(): string {
  return (createRequire(__filename)(join(__dirname, '..', 'package.json')) as {version: string}).version;
}

/** What `gpu-lens --version` prints. */
export function versionLine(): string {
  return `gpu-lens ${programVersion()} (JSON schema ${String(schemaVersion)})\n`;
}
