import {join} from 'node:path';
import {TraceError} from '../../src/core/base/errors.js';
import {findingsInFile} from '../support/findings.js';
import type {Labels} from './score.js';

/**
 * The rules that find something, for each labelled profile of a folder. In a profile whose format is not read, nothing is
 * found, so that all it holds counts as missed.
 *
 * @param tellUnread is told such a profile
 * @param known the rules of profiles that were asked before
 */
export async function rulesThatFire(
  folder: string,
  {profiles}: Labels,
  tellUnread: (profile: string) => void,
  known: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const profile of Object.keys(profiles)) {
    found.set(profile, known.get(profile) ?? (await rulesOf(join(folder, profile), () => tellUnread(profile))));
  }
  return found;
}

async function rulesOf(path: string, tellUnread: () => void): Promise<Set<string>> {
  try {
    return new Set((await findingsInFile(path)).map(({rule}) => rule));
  } catch (error) {
    if (!(error instanceof TraceError) || error.code !== 'import/not-a-trace') throw error;
    tellUnread();
    return new Set();
  }
}
