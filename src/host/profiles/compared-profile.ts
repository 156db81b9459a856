import type {ComparedProfile} from '../../protocol/engine-messages.js';
import type {OpenProfile} from './profile-store.js';

/** An open profile, or one step of it, as the engine compares it. */
export function comparedProfile({state}: OpenProfile, step?: number): ComparedProfile {
  const {summary, sidecar} = state;
  const selection = step === undefined ? {} : {step};
  if (sidecar === null) return {profile: summary.id, sidecar, selection};
  const {torch, python, script} = sidecar;
  return {profile: summary.id, sidecar: {torch, python, script}, selection};
}
