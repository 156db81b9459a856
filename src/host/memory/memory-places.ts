import {dirname} from 'node:path';
import {describeError} from '../../core/base/errors.js';
import type {MemoryPlace} from '../../core/memory-snapshot/moment-times.js';
import type {EngineClient} from '../../engine/client.js';
import type {RevealTarget} from '../../protocol/view-messages.js';
import type {ProfileTime} from '../profiles/profile-time.js';
import {snapshotNames} from './is-snapshot-file.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** How far around a moment the timeline shows. */
const aroundNs = 1_000_000;

export interface MemoryPlaceServices {
  readonly store: Pick<ProfileStore, 'activeOpen'>;
  readonly engine: Pick<EngineClient, 'ask'>;
  readonly reveal: (target: RevealTarget) => Promise<void>;
}

/** A snapshot that is open: its file, and what the engine reads of it. */
export interface ReadSnapshot {
  readonly path: string;
  readonly readable: string;
}

type Ask = Pick<EngineClient, 'ask'>;

/** The moment of a profile's time in a snapshot; null where the snapshot does not reach there, or the profile was closed. */
export async function placeOfTime(
  engine: Ask,
  snapshot: string,
  {profile, atNs, device}: ProfileTime,
): Promise<MemoryPlace | null> {
  try {
    return await engine.ask('memory/at', {snapshot, profile: profile.state.summary.id, atNs, device});
  } catch (error) {
    // It may be closed between a click on its counter and this; the snapshot can be looked at all the same.
    if (describeError(error, 'internal').code === 'profile/not-open') return null;
    throw error;
  }
}

/**
 * The file whose page shows a profile's time: an open snapshot of the allocator that reaches there, which tells stacks,
 * the one in the profile's folder before others; else the profile itself.
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
 * Shows a moment of a snapshot in the timeline of the active profile, where that is of the same run: its recording spans
 * the moment. False where it is not.
 */
export async function showInTimeline(
  {store, engine, reveal}: MemoryPlaceServices,
  snapshot: string,
  place: MemoryPlace,
): Promise<boolean> {
  const profile = store.activeOpen;
  if (!profile) return false;
  const atNs = await engine.ask('memory/time', {snapshot, profile: profile.state.summary.id, place});
  if (atNs === null) return false;
  await reveal({slice: -1, names: [], fromNs: atNs - aroundNs, toNs: atNs + aroundNs});
  return true;
}
