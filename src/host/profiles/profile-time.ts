import type {OpenProfile} from './profile-store.js';

/** A time of an open profile, and whose memory is asked about: `device` is -1 for the host's. */
export interface ProfileTime {
  readonly profile: OpenProfile;
  readonly atNs: number;
  readonly device: number;
}
