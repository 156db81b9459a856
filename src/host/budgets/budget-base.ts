import {earlierTrace} from '../../launch/history/earlier-run.js';
import {readSidecar} from '../../launch/run/sidecar-file.js';
import type {EngineClient} from '../../engine/client.js';
import type {ComparedProfile} from '../../protocol/engine-messages.js';
import type {RunHistory} from '../runs/run-history.js';

/**
 * Returns the profile against which budgets of a change are checked: the latest pinned run, else the previous run;
 * null for none.
 */
export async function budgetBase(path: string, history: Pick<RunHistory, 'runs'>): Promise<string | null> {
  const pinned = (await history.runs()).filter(({isPinned, profiles}) => isPinned && !profiles.includes(path));
  return pinned.find(({profiles}) => profiles.length > 0)?.profiles[0] ?? (await earlierTrace(path));
}

/** Opens a profile for the duration of a question. */
export async function withProfile<Answer>(
  engine: Pick<EngineClient, 'open' | 'ask'>,
  path: string,
  signal: AbortSignal,
  ask: (profile: ComparedProfile) => Promise<Answer>,
): Promise<Answer> {
  const [{id}, sidecar] = await Promise.all([engine.open({path}, {signal}), readSidecar(path).catch(() => null)]);
  try {
    const known = sidecar && {torch: sidecar.torch, python: sidecar.python, script: sidecar.script};
    return await ask({profile: id, sidecar: known, selection: {}});
  } finally {
    void engine.ask('profile/close', {profile: id}).catch(() => undefined);
  }
}
