import type {EngineClient} from '../../engine/client.js';
import type {ProfileId} from '../../protocol/engine-messages.js';
import type {Handlers} from '../../protocol/rpc.js';
import {profileQueryNames, type ProfileQueries} from '../../protocol/profile-messages.js';

/** Passes a view's questions on to the engine. @param profileOf returns the engine's id of a profile that a view names */
export function profileQueries(
  engine: EngineClient,
  profileOf: (key: number) => ProfileId,
): Handlers<ProfileQueries<{key: number}>> {
  const handlers: Record<string, unknown> = {};
  for (const name of profileQueryNames) {
    handlers[name] = ({key, ...rest}: {key: number}, {signal}: {signal: AbortSignal}) =>
      engine.ask(name, {profile: profileOf(key), ...rest}, {signal});
  }
  // Both ends share one contract except for how a profile is named, which TypeScript cannot follow through a list.
  return handlers as unknown as Handlers<ProfileQueries<{key: number}>>;
}
