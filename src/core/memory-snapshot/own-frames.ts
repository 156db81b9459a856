import type {MemoryFrames, MemoryStacks} from './memory-snapshot.js';
import {isOwnCode} from './own-code.js';

/** Returns each stack's innermost frame of the user's own code, or -1 if it has none. */
export function ownFrames(frames: MemoryFrames, stacks: MemoryStacks): Int32Array {
  const {length, parent, frame} = stacks;
  const isOwn = ownFiles(frames);
  const own = new Int32Array(length);
  // Parents come first, so one pass is enough.
  for (let stack = 0; stack < length; stack++) {
    const inner = parent[stack] < 0 ? -1 : own[parent[stack]];
    own[stack] = inner >= 0 || isOwn[frame[stack]] === 0 ? inner : frame[stack];
  }
  return own;
}

function ownFiles({length, files, isNamed}: MemoryFrames): Uint8Array {
  const known = new Map<string, boolean>();
  return Uint8Array.from({length}, (_, frame) => {
    if (isNamed?.[frame] === 1) return 1;
    const file = files[frame];
    let own = known.get(file);
    if (own === undefined) known.set(file, (own = isOwnCode(file)));
    return own ? 1 : 0;
  });
}
