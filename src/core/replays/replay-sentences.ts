import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import {counted} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {greatest} from '../table/extremes.js';
import {kindIndex} from '../trace/slices.js';
import {countedWording, noteOf, wordedNote, wordingOf, type TraceNote} from '../trace/trace-note.js';
import type {Trace} from '../trace/trace.js';
import type {GraphReplay} from './graph-replays.js';
import {isNodeOf, type NodeFacts} from './node-facts.js';

/** Returns the error for a profile that replays no graph. */
export function noReplays({gpuOperations, slices}: Trace): TraceError {
  const isWhole = gpuOperations.slice.some(row => slices.kind[row] === kindIndex.graph);
  const text = isWhole
    ? say('This profile has graphs as a whole: record it with --cuda-graph-trace=node to see what they ran.')
    : say('This profile launches no graph whose kernels it shows, so a capture has nothing to add.');
  return new TraceError('capture/no-replays', text);
}

/**
 * Returns the error for a capture that matches no replay. It describes the first replay without a match, and the graph
 * that comes nearest.
 */
export function doesNotFit(
  replays: readonly (readonly NodeFacts[] | null)[],
  graphs: readonly (readonly NodeFacts[])[],
  ambiguous: number,
  name: string,
): TraceError {
  const first = replays.find(facts => facts !== null) ?? [];
  const reason =
    ambiguous > 0 ? say('the replays fit several graphs that come from different calls') : differenceOf(first, graphs);
  const text = say('{0} is not a capture of this profile’s graphs: {1}.', name, reason);
  return new TraceError('capture/does-not-fit', text);
}

function differenceOf(replay: readonly NodeFacts[], graphs: readonly (readonly NodeFacts[])[]): string {
  const alike = graphs.filter(({length}) => length === replay.length);
  if (alike.length === 0) {
    const count = counted(replay.length, '{0} operation', '{0} operations');
    const lengths = [...new Set(graphs.map(({length}) => length))].sort((a, b) => a - b).slice(0, 8);
    return say(
      'the first graph that is replayed has {0}, and those that were captured have {1}',
      count,
      lengths.join(', '),
    );
  }
  // The graph that matches longest comes nearest.
  const place = alike.map(graph => replay.findIndex((operation, at) => !isNodeOf(operation, graph[at])));
  const longest = greatest(place);
  const {kernel, kind, grid} = replay[longest];
  const node = alike[place.indexOf(longest)][longest];
  const name = shortened(kernel ?? kind);
  if (node.kernel !== null && node.kernel === kernel) {
    return say(
      '{0} has the grid and block {1} instead of {2} (another batch size?)',
      name,
      grid ?? '',
      node.grid ?? '',
    );
  }
  const instead = shortened(node.kernel ?? node.operator ?? node.kind);
  return say('operation {0} is {1} instead of {2} (another model?)', longest + 1, name, instead);
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Returns the note with the share of the replayed work that is matched, and the basis of the match. */
export function matchNote(
  trace: Trace,
  replays: readonly GraphReplay[],
  ambiguous: number,
  isNamed: boolean,
  name: string,
): TraceNote {
  const {slices, gpuOperations, capturedCalls} = trace;
  let allNs = 0;
  let matchedNs = 0;
  for (const {operations} of replays) {
    for (const operation of operations) {
      const ns = slices.durationNs[gpuOperations.slice[operation]];
      allNs += ns;
      if (capturedCalls[operation] >= 0) matchedNs += ns;
    }
  }
  const share = allNs === 0 ? '' : ` (${formatPercent(matchedNs, allNs)})`;
  const figures = [formatDuration(matchedNs), formatDuration(allNs), share, name];
  const work = isNamed
    ? wordingOf(
        '{0} of {1} of work that graphs replayed{2} has the operators, modules and frames that captured it in {3}, by the order and the names of their operations.',
        ...figures,
      )
    : wordingOf(
        '{0} of {1} of work that graphs replayed{2} has the operators, modules and frames that captured it in {3}, by the order and the sort of their operations alone, since the capture does not name its kernels.',
        ...figures,
      );
  if (ambiguous === 0) return wordedNote('capture/matched', work);
  const several = countedWording(
    ambiguous,
    '{0} launch fits graphs from different calls and was left alone.',
    '{0} launches fit graphs from different calls and were left alone.',
  );
  return noteOf('capture/matched', '{0} {1}', work, several);
}
