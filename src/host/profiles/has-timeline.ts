import type {OpenProfile} from './profile-store.js';

/** Returns whether a profile has times to draw; printed tables have none. */
export function hasTimeline({state}: OpenProfile): boolean {
  return !state.summary.info.tables;
}
