import type {MemorySnapshot} from './memory-snapshot.js';

/** Returns a stack as one text, from the outermost frame inwards: `<module> run.py:1; step train.py:20`. */
export function stackText({frames, stacks}: Pick<MemorySnapshot, 'frames' | 'stacks'>, stack: number): string {
  const parts: string[] = [];
  // A row's own frame is the outermost; its ancestors have the frames inside.
  for (let row = stack; row >= 0; row = stacks.parent[row]) {
    const frame = stacks.frame[row];
    parts.push(`${frames.names[frame]} ${frames.files[frame]}:${String(frames.lines[frame])}`);
  }
  return parts.join('; ');
}
