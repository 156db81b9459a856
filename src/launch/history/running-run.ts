import {hostname} from 'node:os';
import {runsProfile} from '../run/runs-profile.js';
import type {RunFacts} from './run-facts.js';

/** Tells whether a run of this machine goes on. Of one on another machine nobody knows: it counts as not running. */
export async function goesOn({ended, process}: Pick<RunFacts, 'ended' | 'process'>): Promise<boolean> {
  // What an older version listed has no such member.
  const known = process as RunFacts['process'] | undefined;
  return ended === null && known?.host === hostname() && (await runsProfile(known.pid));
}
