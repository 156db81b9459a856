import {say, template} from '../base/say.js';

/** Words that stand alone between the dots of a row's name: templates. */
const words: ReadonlySet<string> = new Set([
  ...[template('compute'), template('communication'), template('copies')],
  ...[template('main'), template('markers'), template('ranges'), template('on CPU')],
  ...[template('profiler overhead'), template('synchronisation'), template('page faults')],
  ...[template('ranges and operators'), template('Python frames')],
  ...[template('Ranges on the GPU'), template('NVTX start/end ranges'), template('Copies on the host')],
  ...[template('CUDA memory'), template('Unified memory'), template('Memory allocated'), template('Memory reserved')],
  ...[template('Memory allocated since the recording began')],
  ...[template('Markers'), template('Whole trace'), template('Other'), template('Pinned')],
]);

/** Words with a number or a name: templates. */
const patterns: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^Stream (\d+)$/, template('Stream {0}')],
  [/^Context (\d+)$/, template('Context {0}')],
  [/^Process (\d+)$/, template('Process {0}')],
  [/^rank (\d+)$/, template('rank {0}')],
  [/^thread (\S+) \(main\)$/, template('thread {0} (main)')],
  [/^thread (\S+) \((.+)\)$/, template('thread {0} ({1})')],
  [/^thread (\S+)$/, template('thread {0}')],
  [/^CUDA memory allocated \((.+)\)$/, template('CUDA memory allocated ({0})')],
];

/**
 * Returns the name of a timeline's row or group in the editor's language. Names of rows are keys, by which layouts are
 * kept and other programs find tracks, so they stay English. Names that the program gave do not change.
 */
export function trackText(name: string): string {
  return name.split(' · ').map(partText).join(' · ');
}

function partText(part: string): string {
  if (words.has(part)) return say(part);
  for (const [pattern, text] of patterns) {
    const found = pattern.exec(part);
    if (found) return say(text, ...found.slice(1));
  }
  return part;
}
