import type {MemoryPlace} from '../../core/memory-snapshot/moment-times.js';
import type {EngineClient} from '../../engine/client.js';
import type {RevealTarget} from '../../protocol/view-messages.js';
import type {ProfileStore} from '../profiles/profile-store.js';

/** How far around a moment the timeline shows. */
const aroundNs = 1_000_000;

export interface MemoryPlaceServices {
  readonly store: Pick<ProfileStore, 'activeOpen'>;
  readonly engine: Pick<EngineClient, 'ask'>;
  readonly reveal: (target: RevealTarget) => Promise<void>;
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
