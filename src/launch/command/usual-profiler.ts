import {mayStartPython} from '../python/may-start-python.js';
import type {ProfileDefinition} from './profile-definition.js';
import {substituteVariables, type VariableValues} from './variables.js';

/**
 * A definition that says its profiler where it names a compiled program and none: nsys, for there is no Python in it to
 * record. Any other is as it was.
 *
 * @param values of the variables in it; where it has no folder of its own, it runs in the workspace's
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
