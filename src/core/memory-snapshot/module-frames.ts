import {moduleOfRange} from '../source/module-forward.js';
import type {MemoryFrames, MemorySnapshot} from './memory-snapshot.js';
import {isOwnCode} from './own-code.js';

/** Returns the frame of each stack's module, like `ownFrames` for own lines; -1 if it is in none. */
export function moduleFrames({frames, stacks}: Pick<MemorySnapshot, 'frames' | 'stacks'>): Int32Array {
  const {length, parent, frame} = stacks;
  const rank = moduleRanks(frames);
  const found = new Int32Array(length);
  // Parents, which are inside, come first. The innermost of the user's own modules counts, else the innermost of all.
  for (let stack = 0; stack < length; stack++) {
    const inner = parent[stack] < 0 ? -1 : found[parent[stack]];
    const innerRank = inner < 0 ? 0 : rank[inner];
    found[stack] = rank[frame[stack]] > innerRank ? frame[stack] : inner;
  }
  return found;
}

/** Returns the name of a frame's module: its class, its path in the model, or the file of its `forward`. */
export function moduleName({names, files}: MemoryFrames, frame: number): string {
  const {[frame]: name} = names;
  const path = moduleOfRange(name);
  if (path !== null) return path;
  const file = files[frame].split(/[\\/]/).at(-1) ?? '';
  const owner = name.split('.').at(-2);
  return owner === undefined ? `forward in ${file}` : `${owner} (${file})`;
}

/** Frame → 0 for no module, 1 for a library's, 2 for one of the user's own. */
function moduleRanks({length, names, files}: MemoryFrames): Uint8Array {
  return Uint8Array.from({length}, (_, frame) => {
    if (moduleOfRange(names[frame]) !== null) return 2;
    if (!/(?:^|\.)forward$/.test(names[frame])) return 0;
    return isOwnCode(files[frame]) ? 2 : 1;
  });
}
