import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {KeptRow} from '../../src/core/memory-snapshot/kept-rows.js';
import type {LiveBlock} from '../../src/core/memory-snapshot/live-blocks.js';
import type {CodePlace, LiveRow} from '../../src/core/memory-snapshot/live-rows.js';
import type {DifferenceRow} from '../../src/core/memory-snapshot/row-difference.js';
import type {SegmentRow} from '../../src/core/memory-snapshot/segment-rows.js';
import type {PlainColumn} from '../shared/plain-table.js';

/** A place as a person reads it: `train.py:20 step`. */
function placeText({file, line, function: name}: CodePlace): string {
  if (file === null) return name ?? '(no line of your code)';
  return `${file.split(/[\\/]/).at(-1) ?? file}:${String(line ?? '')} ${name ?? ''}`;
}

/** A whole stack, from the innermost frame outwards. */
function stackText(stack: readonly CodePlace[]): string {
  return stack.length === 0 ? '(no stack)' : stack.map(placeText).join(' ← ');
}

const bytes = (value: number): string => formatBytes(value);
const signed = (value: number): string => (value > 0 ? `+${formatBytes(value)}` : formatBytes(value));
const place: PlainColumn<CodePlace> = {
  title: 'Line',
  about: 'The innermost frame of your own code',
  text: placeText,
  isText: true,
};

export const rowColumns: readonly PlainColumn<LiveRow>[] = [
  {title: 'Bytes', text: row => bytes(row.bytes)},
  {title: 'Blocks', text: row => formatCount(row.blocks)},
  place,
];

export const blockColumns: readonly PlainColumn<LiveBlock>[] = [
  {title: 'Bytes', text: block => bytes(block.bytes)},
  {
    title: 'Age',
    about: 'How long it has been live at this moment',
    text: ({ageUs, allocatedEvent}) =>
      allocatedEvent === null ? 'before the history' : ageUs === null ? '–' : formatDuration(ageUs * 1000),
  },
  {
    title: 'Freed',
    about: 'The event that frees it later',
    text: ({freedEvent}) => (freedEvent === null ? 'never' : `event ${formatCount(freedEvent)}`),
  },
  place,
  {title: 'Stack', about: 'From the innermost frame outwards', text: ({stack}) => stackText(stack), isText: true},
];

export const segmentColumns: readonly PlainColumn<SegmentRow>[] = [
  {title: 'Size', text: segment => bytes(segment.bytes)},
  {title: 'In use', about: 'Blocks as they were rounded up', text: segment => bytes(segment.activeBytes)},
  {title: 'Free', text: segment => bytes(segment.freeBytes)},
  {title: 'Largest free', text: segment => bytes(segment.largestFreeBytes)},
  {title: 'Blocks', text: segment => formatCount(segment.blocks)},
  {title: 'Stream', text: ({stream}) => (stream === 0 ? 'default' : `0x${stream.toString(16)}`)},
  {title: 'Address', text: ({address}) => `0x${address.toString(16)}`},
  {title: 'Expandable', text: ({isExpandable}) => (isExpandable ? 'yes' : 'no')},
  {...place, title: 'Reserved by'},
];

export const keptColumns: readonly PlainColumn<KeptRow>[] = [
  {title: 'Kept', text: row => bytes(row.bytes)},
  {title: 'Blocks', text: row => formatCount(row.blocks)},
  {title: 'Of', about: 'All blocks that the line allocated in the history', text: row => formatCount(row.allocated)},
  {
    title: 'Steps',
    about: 'Steps in which it allocated a block that stays',
    text: row => formatCount(row.steps),
  },
  {title: 'First', about: 'The event that allocated the first of them', text: row => formatCount(row.firstEvent)},
  {title: 'Last', about: 'The event that allocated the last of them', text: row => formatCount(row.lastEvent)},
  place,
];

export const differenceColumns: readonly PlainColumn<DifferenceRow>[] = [
  {title: 'Change', text: row => signed(row.deltaBytes)},
  {title: 'Before', text: row => bytes(row.bytes)},
  {title: 'After', text: row => bytes(row.otherBytes)},
  {title: 'Blocks', text: row => `${formatCount(row.blocks)} → ${formatCount(row.otherBlocks)}`},
  place,
];
