import {dirname} from 'node:path';
import {describeError} from '../../core/base/errors.js';
import type {MemoryPlace} from '../../core/memory-snapshot/moment-times.js';
import type {EngineClient} from '../../engine/client.js';
import type {EngineRequests} from '../../protocol/engine-messages.js';
import type {RevealTarget} from '../../protocol/view-messages.js';
import type {ProfileTime} from '../profiles/profile-time.js';
import {snapshotNames} from './is-snapshot-file.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** How much time the timeline shows around a moment. */
const aroundNs = 1_000_000;

export interface MemoryPlaceServices {
  readonly store: Pick<ProfileStore, 'activeOpen'>;
  readonly engine: Pick<EngineClient, 'ask'>;
  readonly reveal: (target: RevealTarget) => Promise<void>;
}

/** An open snapshot: its file, and what the engine reads. */
export interface ReadSnapshot {
  readonly path: string;
  readonly readable: string;
}

type Ask = Pick<EngineClient, 'ask'>;

/**
 * Returns the moment in a snapshot at a profile's time; null if the snapshot does not cover it, or the profile was
 * closed.
 */
export async function placeOfTime(
  engine: Ask,
  snapshot: string,
  {profile, atNs, device}: ProfileTime,
): Promise<EngineRequests['memory/at']['result']> {
  try {
    return await engine.ask('memory/at', {snapshot, profile: profile.state.summary.id, atNs, device});
  } catch (error) {
    // The profile may have been closed since the click on its counter; the snapshot can still be shown.
    if (describeError(error, 'internal').code === 'profile/not-open') return null;
    throw error;
  }
}

/**
 * Returns the file whose page shows a profile's time: an open allocator snapshot that covers it and has stacks,
 * preferably from the profile's folder; else the profile itself.
 */
export async function fileOfTime(engine: Ask, open: readonly ReadSnapshot[], time: ProfileTime): Promise<string> {
  const {path} = time.profile;
  const isBeside = (other: ReadSnapshot) => dirname(other.path) === dirname(path);
  const snapshots = open.filter(other => snapshotNames.test(other.path));
  for (const snapshot of [...snapshots.filter(isBeside), ...snapshots.filter(other => !isBeside(other))]) {
    if (await placeOfTime(engine, snapshot.readable, time)) return snapshot.path;
  }
  return path;
}

/**
 * Shows a moment of a snapshot in the active profile's timeline, if its recording spans the moment and so is of the
 * same run. Returns false otherwise.
 */
export async function showInTimeline(
  {store, engine, reveal}: MemoryPlaceServices,
  version: {readonly snapshot: string; readonly stamp: string},
  place: MemoryPlace,
): Promise<boolean> {
  const profile = store.activeOpen;
  if (!profile) return false;
  const atNs = await engine.ask('memory/time', {...version, profile: profile.state.summary.id, place});
  if (atNs === null) return false;
  await reveal({slice: -1, names: [], fromNs: atNs - aroundNs, toNs: atNs + aroundNs});
  return true;
}
