import {isAbsolute, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {parseEnvFile} from './env-file.js';
import type {ProfileDefinition} from './profile-definition.js';
import {readRegularFile} from '../programs/regular-file.js';
import {substituteVariables, type VariableValues} from './variables.js';

/** A longer file is not an environment file. */
const longestBytes = 1 << 20;

/**
 * Returns the variables that a run adds to its environment: those of its file and its own, which take precedence, with
 * `${env:NAME}` substituted. Values may be secrets: they are looked up when a run begins, and are never saved, shown or
 * logged.
 *
 * @throws TraceError `launch/not-started` if the file cannot be read
 */
export async function runEnvironment(
  {env = {}, envFile}: Pick<ProfileDefinition, 'env' | 'envFile'>,
  values: VariableValues,
): Promise<Record<string, string>> {
  const found = envFile === undefined ? {} : await variablesOf(envFile, values);
  for (const [name, value] of Object.entries(env)) found[name] = substituteVariables(value, values);
  return found;
}

async function variablesOf(envFile: string, values: VariableValues): Promise<Record<string, string>> {
  const named = substituteVariables(envFile, values);
  const path = isAbsolute(named) ? named : join(values.workspaceFolder, named);
  const text = await readRegularFile(path, async (file, bytes) =>
    bytes <= longestBytes ? await file.readFile('utf8') : null,
  );
  if (text === null) throw new TraceError('launch/not-started', `${path}, the envFile of the run, cannot be read.`);
  return parseEnvFile(text);
}
