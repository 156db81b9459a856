import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js';
import {expect} from 'vitest';
import {project} from './project.js';

/** The schemas of the commands' `--format json` output. */
export const schemaFolder = join(project, 'docs', 'schema');

const validators = new Map<string, ValidateFunction>();

function validatorOf(command: string): ValidateFunction {
  const known = validators.get(command);
  if (known) return known;
  const schema = JSON.parse(readFileSync(join(schemaFolder, `${command}.json`), 'utf8')) as object;
  const validator = new Ajv2020({strict: true, allowUnionTypes: true}).compile(schema);
  validators.set(command, validator);
  return validator;
}

/** Expects a command's JSON to match its schema in docs/schema. */
export function expectSchema(command: string, text: string): void {
  const validate = validatorOf(command);
  validate(JSON.parse(text));
  const errors = (validate.errors ?? []).map(({instancePath, message}) => `${instancePath} ${message ?? ''}`);
  expect(errors.join('\n'), `${command} --format json`).toBe('');
}

/** Exit statuses of commands with complete output: some report "slower" or "found" by 3 and 4. */
const answered = new Set<number | null>([0, 3, 4]);

/** Does the same for any command line; expects nothing if it prints no JSON, or if its command has no schema. */
export function expectSchemaOf(args: readonly string[], status: number | null, stdout: string): void {
  const [command = ''] = args;
  const isJson = args.some(
    (argument, at) => argument === '--format=json' || (argument === '--format' && args[at + 1] === 'json'),
  );
  const hasSchema = existsSync(join(schemaFolder, `${command}.json`));
  if (answered.has(status) && isJson && hasSchema && stdout !== '') expectSchema(command, stdout);
}
