import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv} from 'ajv';
import {project} from './project.js';

/** The folder of speedscope's page in its npm package. */
export const speedscopePage = join(project, 'node_modules', 'speedscope', 'dist', 'release');

const schema = JSON.parse(readFileSync(join(speedscopePage, 'file-format-schema.json'), 'utf8')) as object;
const validate = new Ajv().compile(schema);

/** Returns a file's violations of speedscope's own schema; empty if it is valid. */
export function speedscopeFaults(text: string): string[] {
  validate(JSON.parse(text));
  return (validate.errors ?? []).map(({instancePath, message}) => `${instancePath} ${message ?? ''}`);
}
