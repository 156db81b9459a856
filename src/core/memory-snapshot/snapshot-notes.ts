import {counted} from '../format/count.js';
import {say} from '../base/say.js';
import {pushAll} from '../table/extremes.js';
import {memoryDeviceName} from './device-name.js';
import {formatBytes} from './format-bytes.js';
import type {MemorySnapshot, SnapshotNote} from './memory-snapshot.js';
import {ownFrames} from './own-frames.js';
import {snapshotDevices, type DeviceMemory} from './replay.js';

/** Returns notes about a device's figures at a moment: contradictions, blocks without a place, other devices. */
export function snapshotNotes(snapshot: MemorySnapshot, memory: DeviceMemory, moment: number): SnapshotNote[] {
  const notes = [...memory.notes, ...(snapshot.profile?.notes ?? [])];
  if (memory.eventCount === 0) {
    notes.push({
      code: 'memory/no-history',
      text: say(
        'The snapshot has no history, so GPU Lens shows only its end. torch.cuda.memory._record_memory_history() records a history.',
      ),
    });
  }
  pushAll(notes, unplacedNotes(snapshot, memory, moment));
  const nameOf = (device: number) => memoryDeviceName(snapshot, device);
  const others = snapshotDevices(snapshot).filter(device => device !== memory.device);
  if (others.length > 0) {
    notes.push({
      code: 'memory/other-devices',
      text: say(
        'The figures are those of {0}. There is also {1}.',
        nameOf(memory.device),
        others.map(device => `${nameOf(device)} (--device ${String(device)})`).join(say(', ')),
      ),
    });
  }
  return notes;
}

/** Describes the kinds of blocks without a line of the user's own code. */
function unplacedNotes(snapshot: MemorySnapshot, {allocations}: DeviceMemory, moment: number): SnapshotNote[] {
  const own = ownFrames(snapshot.frames, snapshot.stacks);
  const {length, bytes, stack, fromMoment, untilMoment} = allocations;
  const without = {stack: {bytes: 0, blocks: 0}, line: {bytes: 0, blocks: 0}};
  for (let i = 0; i < length; i++) {
    if (moment < fromMoment[i] || moment >= untilMoment[i]) continue;
    if (stack[i] >= 0 && own[stack[i]] >= 0) continue;
    const sum = stack[i] < 0 ? without.stack : without.line;
    sum.bytes += bytes[i];
    sum.blocks++;
  }
  const notes: SnapshotNote[] = [];
  // A recording without any stacks has its own note.
  if (without.stack.blocks > 0 && (snapshot.stacks.length > 0 || snapshot.profile === null)) {
    notes.push({
      code: 'memory/no-frames',
      text: counted(
        without.stack.blocks,
        '{0} live block ({1}) has no stack. It was allocated before the history began, or while stacks were not recorded.',
        '{0} live blocks ({1}) have no stack. They were allocated before the history began, or while stacks were not recorded.',
        formatBytes(without.stack.bytes),
      ),
    });
  }
  if (without.line.blocks > 0) {
    notes.push({
      code: 'memory/no-own-frame',
      text: counted(
        without.line.blocks,
        '{0} live block ({1}) has only libraries in its stack. --by stack shows it.',
        '{0} live blocks ({1}) have only libraries in their stacks. --by stack shows them.',
        formatBytes(without.line.bytes),
      ),
    });
  }
  return notes;
}
