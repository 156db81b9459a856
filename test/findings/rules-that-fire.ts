import {join} from 'node:path';
import {TraceError} from '../../src/core/base/errors.js';
import {findingsInFile} from '../support/findings.js';
import type {Labels} from './score.js';

/**
 * Returns the rules with a finding, for each labelled profile of a folder. A profile in an unread format has no
 * findings, so all its labels count as missed.
 *
 * @param tellUnread receives such a profile
 * @param known the rules of profiles that were examined before
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
