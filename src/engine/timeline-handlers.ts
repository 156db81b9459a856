import {visibleTimeline} from '../core/layout/visible-timeline.js';
import {activity} from '../core/questions/activity.js';
import {mergedSlices} from '../core/questions/merged-slices.js';
import {searchGroups} from '../core/questions/search-groups.js';
import {searchSlices} from '../core/questions/search-slices.js';
import {sliceContext} from '../core/questions/slice-context.js';
import {instantDetails, sliceDetails} from '../core/questions/slice-details.js';
import {sliceDurations} from '../core/questions/slice-durations.js';
import {sliceFacts} from '../core/questions/slice-facts.js';
import {sliceLinks} from '../core/questions/slice-links.js';
import {sliceNeighbour, sliceOnLane} from '../core/questions/slice-neighbours.js';
import {windowSummary} from '../core/questions/window-summary.js';
import {pathAt, slackOf} from '../core/what-if/recorded/path-at.js';
import {readInstantArguments, readSliceArguments} from '../importers/slice-arguments.js';
import type {EngineRequests, ProfileId} from '../protocol/engine-messages.js';
import type {Handlers} from '../protocol/rpc.js';
import type {TimelineQueries} from '../protocol/timeline-messages.js';
import {namesThatFit} from './names-that-fit.js';
import type {OpenProfiles} from './open-profiles.js';
import type {Urgency} from './urgent-first.js';
import {waitsOfSlice} from './waits-of-slice.js';

/** A user waits for these pictures; each takes some milliseconds. */
const urgent: ReadonlySet<string> = new Set<keyof TimelineQueries<unknown>>([
  'timeline/visible',
  'timeline/activity',
  'slice/details',
  'slice/neighbour',
  'slice/on-lane',
  'instant/details',
]);

/** Requests before a profile is shown; the request for the picture follows them. */
const opening: ReadonlySet<string> = new Set<keyof EngineRequests>(['profile/open', 'profile/compiled-graphs']);

/** Requests of a timeline go before figures on lines and in tables, and before everything once a profile is open. */
export const urgency: Urgency = {
  isUrgent: method => urgent.has(method) || opening.has(method),
  announces: method => opening.has(method),
  holdMs: 250,
};

/** Answers the requests of a timeline. */
export function timelineHandlers(profiles: OpenProfiles): Handlers<TimelineQueries<{profile: ProfileId}>> {
  return {
    'timeline/visible': async ({profile, window}) => visibleTimeline(await profiles.trace(profile), window),
    'timeline/activity': async ({profile, parts}) => activity(await profiles.trace(profile), parts),
    'timeline/search': async ({profile, query, step}) => {
      const trace = await profiles.trace(profile);
      return searchSlices(trace, namesThatFit(trace, query), step);
    },
    'timeline/search-groups': async ({profile, query}) => {
      const trace = await profiles.trace(profile);
      return searchGroups(trace, namesThatFit(trace, query));
    },
    'timeline/merged': async ({profile, place}) => mergedSlices(await profiles.trace(profile), place),
    'timeline/window': async ({profile, selection}) => windowSummary(await profiles.trace(profile), selection),
    'timeline/path': async ({profile, atNs}) => pathAt(await profiles.trace(profile), atNs),
    'slice/slack': async ({profile, slice}) => slackOf(await profiles.trace(profile), slice),
    'slice/durations': async ({profile, slice}) => sliceDurations(await profiles.trace(profile), slice),
    'slice/details': async ({profile, slice}) => sliceDetails(await profiles.trace(profile), slice),
    'slice/context': async ({profile, slice}) => sliceContext(await profiles.trace(profile), slice),
    'slice/links': async ({profile, slice}) => sliceLinks(await profiles.trace(profile), slice),
    'slice/waits': async ({profile, slice}, {signal}) => {
      const trace = await profiles.trace(profile);
      const options = {signal, unpacked: profiles.unpacked};
      return waitsOfSlice(trace, slice, row => readSliceArguments(profiles.file(profile), trace, row, options));
    },
    'slice/neighbour': async ({profile, slice, direction}) =>
      sliceNeighbour(await profiles.trace(profile), slice, direction),
    'slice/on-lane': async ({profile, place, direction}) =>
      sliceOnLane(await profiles.trace(profile), place, direction),
    'slice/arguments': async ({profile, slice}, {signal}) => {
      const trace = await profiles.trace(profile);
      const options = {signal, unpacked: profiles.unpacked};
      return sliceFacts(trace, slice, await readSliceArguments(profiles.file(profile), trace, slice, options));
    },
    'instant/details': async ({profile, instant}) => instantDetails(await profiles.trace(profile), instant),
    'instant/arguments': async ({profile, instant}, {signal}) => {
      const trace = await profiles.trace(profile);
      return readInstantArguments(profiles.file(profile), trace, instant, {signal, unpacked: profiles.unpacked});
    },
  };
}
