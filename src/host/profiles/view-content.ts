import type {TraceErrorCode} from '../../core/base/errors.js';
import type {ViewContent} from '../../protocol/view-messages.js';
import {identityOf, type ProfileScopes} from './profile-scopes.js';
import type {ProfileEntry} from './profile-store.js';

/** Errors of files that another editor may be right for. */
const otherEditors: ReadonlySet<TraceErrorCode> = new Set([
  'import/not-nsys',
  'import/unknown-format',
  'import/not-a-trace',
  'import/no-events',
  'import/damaged',
]);

/** Returns what a timeline shows of a profile; while it is being read, what has been read so far. */
export function timelineContent(entry: ProfileEntry | null, scopes: Pick<ProfileScopes, 'of'>): ViewContent {
  const content = viewContent(entry, scopes);
  if (content.state !== 'opening' || entry?.state.kind !== 'opening' || !entry.state.picture) return content;
  return {...content, picture: entry.state.picture};
}

/** Returns what a view shows of a profile. */
export function viewContent(entry: ProfileEntry | null, scopes: Pick<ProfileScopes, 'of'>): ViewContent {
  if (!entry) return {state: 'empty'};
  const {key, name, state} = entry;
  switch (state.kind) {
    case 'opening':
      return {state: 'opening', key, name, step: state.step, fraction: state.fraction, events: state.events};
    case 'failed':
      return {state: 'failed', name, message: state.message, canOpenWith: otherEditors.has(state.code)};
    case 'open':
      return {
        state: 'open',
        scope: scopes.of(entry),
        profile: {
          key,
          identity: identityOf(entry),
          name,
          info: state.summary.info,
          tracks: state.summary.tracks,
          counters: state.summary.counters,
          steps: state.summary.steps,
          processes: state.summary.processes,
          modules: state.summary.modules,
        },
      };
  }
}
