import {mayStartPython} from '../python/may-start-python.js';
import type {ProfileDefinition} from './profile-definition.js';
import {substituteVariables, type VariableValues} from './variables.js';

/**
 * Returns the definition with nsys as its profiler if it names a compiled program and no profiler: there is no Python
 * to record. Any other definition is returned unchanged.
 *
 * @param values the variables of the definition; if it has no folder of its own, it runs in the workspace folder
 */
export async function withUsualProfiler(
  definition: ProfileDefinition,
  values: VariableValues,
): Promise<ProfileDefinition> {
  const {command, profiler, cwd = values.workspaceFolder} = definition;
  if (command === undefined || profiler !== undefined) return definition;
  const [program, folder] = [substituteVariables(command, values), substituteVariables(cwd, values)];
  return (await mayStartPython([program], folder)) ? definition : {...definition, profiler: 'nsys'};
}
