import {findIn} from '../../core/findings/find.js';
import type {ProfileFindings} from '../../core/findings/findings-page.js';
import {SqlClient} from '../../sql/client.js';
import type {ProfileSource} from '../../sql/messages.js';
import {readOwnRules} from '../../sql/own-rules.js';
import type {OpenProfile} from '../profiles/profile-store.js';

export interface FindingsOptions {
  /** The bundle of the process that answers SQL. */
  readonly programPath: string;
  readonly sourceOf: (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileSource>;
  /** The folder of the workspace's own rules; null where it has none that may be asked. */
  readonly ruleFolder: () => string | null;
}

/** Finds what stands in the way of an open profile, anew only where the workspace's own rules have changed. */
export type FindingsOf = (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileFindings>;

/** Asks the rules in a process that a cancel ends. */
export function createFindings({programPath, sourceOf, ruleFolder}: FindingsOptions): FindingsOf {
  const known = new WeakMap<object, {readonly key: string; readonly found: ProfileFindings}>();
  return async (profile, signal) => {
    const {summary} = profile.state;
    const folder = ruleFolder();
    const own = folder === null ? {rules: [], problems: [], texts: []} : await readOwnRules(folder);
    const key = JSON.stringify([own.texts, own.problems]);
    const before = known.get(summary);
    if (before?.key === key) return before.found;
    const client = new SqlClient(programPath);
    try {
      const source = await sourceOf(profile, signal);
      const {problems, ...rest} = await findIn(statements => client.cells(source, statements, {signal}), own.rules);
      const found = {...rest, problems: [...own.problems, ...problems]};
      known.set(summary, {key, found});
      return found;
    } finally {
      client.dispose();
    }
  };
}
