import type {ComparedProfile} from '../../protocol/engine-messages.js';
import type {OpenProfile} from './profile-store.js';

/** Returns an open profile, or a part of it, in the form that the engine compares. */
export function comparedProfile({state}: OpenProfile, selection: ComparedProfile['selection'] = {}): ComparedProfile {
  const {summary, sidecar} = state;
  if (sidecar === null) return {profile: summary.id, sidecar, selection};
  const {torch, python, script} = sidecar;
  return {profile: summary.id, sidecar: {torch, python, script}, selection};
}
