import {hostname} from 'node:os';
import {runsProfile} from '../run/runs-profile.js';
import type {RunFacts} from './run-facts.js';

/** Returns whether a run still runs on this machine. Runs of other machines cannot be checked and count as ended. */
export async function goesOn({ended, process}: Pick<RunFacts, 'ended' | 'process'>): Promise<boolean> {
  // Entries listed by an older version lack this member.
  const known = process as RunFacts['process'] | undefined;
  return ended === null && known?.host === hostname() && (await runsProfile(known.pid));
}
