import {join} from 'node:path';
import {withoutDismissed} from '../../core/findings/dismissals.js';
import {findIn} from '../../core/findings/find.js';
import type {ProfileFindings} from '../../core/findings/findings-page.js';
import {SqlClient} from '../../sql/client.js';
import type {ProfileSource} from '../../sql/messages.js';
import {projectFile, readDismissals} from '../../sql/read-dismissals.js';
import {readOwnRules, usualRuleFolder} from '../../sql/own-rules.js';
import type {OpenProfile} from '../profiles/profile-store.js';

export interface FindingsOptions {
  /** The bundle of the process that answers SQL. */
  readonly programPath: string;
  readonly sourceOf: (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileSource>;
  /** The workspace folder whose own rules and dismissals apply; null if there is no trusted one. */
  readonly workspaceFolder: () => string | null;
}

/** Finds the problems of an open profile; again only if the workspace's own rules have changed. */
export type FindingsOf = (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileFindings>;

/** Asks the rules in a process that a cancel ends. */
export function createFindings({programPath, sourceOf, workspaceFolder}: FindingsOptions): FindingsOf {
  const known = new WeakMap<object, {readonly key: string; readonly found: ProfileFindings}>();
  return async (profile, signal) => {
    const {summary} = profile.state;
    const folder = workspaceFolder();
    const own =
      folder === null ? {rules: [], problems: [], texts: []} : await readOwnRules(join(folder, usualRuleFolder));
    const dismissals =
      folder === null ? {dismissed: [], problems: []} : await readDismissals(join(folder, projectFile));
    const key = JSON.stringify([own.texts, own.problems]);
    const before = known.get(summary);
    if (before?.key === key) return withoutDismissed(before.found, dismissals);
    const client = new SqlClient(programPath);
    try {
      const source = await sourceOf(profile, signal);
      const {notes, ...rest} = await findIn(
        (statements, limitMs) => client.cells(source, statements, {signal, ...(limitMs !== undefined && {limitMs})}),
        own.rules,
      );
      const found = {...rest, notes: [...own.problems, ...notes]};
      known.set(summary, {key, found});
      return withoutDismissed(found, dismissals);
    } finally {
      client.dispose();
    }
  };
}
