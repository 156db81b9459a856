import type {EngineClient} from '../../engine/client.js';
import type {ProfileId} from '../../protocol/engine-messages.js';
import type {Handlers} from '../../protocol/rpc.js';
import {timelineQueryNames, type TimelineQueries} from '../../protocol/timeline-messages.js';

/** Hands the questions of a view on to the engine. @param profileOf the engine's id of a profile that a view names */
export function timelineQueries(
  engine: EngineClient,
  profileOf: (key: number) => ProfileId,
): Handlers<TimelineQueries<{key: number}>> {
  const handlers: Record<string, unknown> = {};
  for (const name of timelineQueryNames) {
    handlers[name] = ({key, ...rest}: {key: number}, {signal}: {signal: AbortSignal}) =>
      // Both ends have one contract but for how a profile is named, which TypeScript cannot follow through a list.
      engine.ask(name, {profile: profileOf(key), ...rest} as never, {signal});
  }
  return handlers as unknown as Handlers<TimelineQueries<{key: number}>>;
}
