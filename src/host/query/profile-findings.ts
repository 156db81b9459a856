import {findIn} from '../../core/findings/find.js';
import type {ProfileFindings} from '../../core/findings/findings-page.js';
import {SqlClient} from '../../sql/client.js';
import type {ProfileSource} from '../../sql/messages.js';
import type {OpenProfile} from '../profiles/profile-store.js';

export interface FindingsOptions {
  /** The bundle of the process that answers SQL. */
  readonly programPath: string;
  readonly sourceOf: (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileSource>;
}

/** Finds what stands in the way of an open profile, once for each. */
export type FindingsOf = (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileFindings>;

/** Asks the rules in a process that a cancel ends. */
export function createFindings({programPath, sourceOf}: FindingsOptions): FindingsOf {
  const known = new WeakMap<object, ProfileFindings>();
  return async (profile, signal) => {
    const {summary} = profile.state;
    const found = known.get(summary);
    if (found) return found;
    const client = new SqlClient(programPath);
    try {
      const source = await sourceOf(profile, signal);
      const findings = await findIn(statements => client.cells(source, statements, {signal}));
      known.set(summary, findings);
      return findings;
    } finally {
      client.dispose();
    }
  };
}
