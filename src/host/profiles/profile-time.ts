import type {OpenProfile} from './profile-store.js';

/** A time in an open profile, and the memory in question: `device` is -1 for the host's. */
export interface ProfileTime {
  readonly profile: OpenProfile;
  readonly atNs: number;
  readonly device: number;
}
