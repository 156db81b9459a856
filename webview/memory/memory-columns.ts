import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {KeptRow} from '../../src/core/memory-snapshot/kept-rows.js';
import type {LiveBlock} from '../../src/core/memory-snapshot/live-blocks.js';
import type {CodePlace, LiveRow} from '../../src/core/memory-snapshot/live-rows.js';
import type {DifferenceRow} from '../../src/core/memory-snapshot/row-difference.js';
import type {SegmentRow} from '../../src/core/memory-snapshot/segment-rows.js';
import type {RowColumn} from '../shared/grid/row-grid.js';

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
const place: RowColumn<CodePlace> = {
  title: 'Line',
  about: 'The innermost frame of your own code',
  text: placeText,
  isText: true,
};

export const rowColumns: readonly RowColumn<LiveRow>[] = [
  {title: 'Bytes', value: row => row.bytes, text: row => bytes(row.bytes)},
  {title: 'Blocks', value: row => row.blocks, text: row => formatCount(row.blocks)},
  place,
];

export const blockColumns: readonly RowColumn<LiveBlock>[] = [
  {title: 'Bytes', value: block => block.bytes, text: block => bytes(block.bytes)},
  {
    title: 'Age',
    value: ({ageUs}) => ageUs,
    about: 'How long it has been live at this moment',
    text: ({ageUs, allocatedEvent}) =>
      allocatedEvent === null ? 'before the history' : ageUs === null ? '–' : formatDuration(ageUs * 1000),
  },
  {
    title: 'Freed',
    value: ({freedEvent}) => freedEvent,
    about: 'The event that frees it later',
    text: ({freedEvent}) => (freedEvent === null ? 'never' : `event ${formatCount(freedEvent)}`),
  },
  place,
  {title: 'Stack', about: 'From the innermost frame outwards', text: ({stack}) => stackText(stack), isText: true},
];

export const segmentColumns: readonly RowColumn<SegmentRow>[] = [
  {title: 'Size', value: segment => segment.bytes, text: segment => bytes(segment.bytes)},
  {
    title: 'In use',
    value: segment => segment.activeBytes,
    about: 'Blocks as they were rounded up',
    text: segment => bytes(segment.activeBytes),
  },
  {title: 'Free', value: segment => segment.freeBytes, text: segment => bytes(segment.freeBytes)},
  {title: 'Largest free', value: segment => segment.largestFreeBytes, text: segment => bytes(segment.largestFreeBytes)},
  {title: 'Blocks', value: segment => segment.blocks, text: segment => formatCount(segment.blocks)},
  {
    title: 'Stream',
    value: ({stream}) => stream,
    text: ({stream}) => (stream === 0 ? 'default' : `0x${stream.toString(16)}`),
  },
  {title: 'Address', value: ({address}) => address, text: ({address}) => `0x${address.toString(16)}`},
  {
    title: 'Expandable',
    value: ({isExpandable}) => Number(isExpandable),
    text: ({isExpandable}) => (isExpandable ? 'yes' : 'no'),
  },
  {...place, title: 'Reserved by'},
];

export const keptColumns: readonly RowColumn<KeptRow>[] = [
  {title: 'Kept', value: row => row.bytes, text: row => bytes(row.bytes)},
  {title: 'Blocks', value: row => row.blocks, text: row => formatCount(row.blocks)},
  {
    title: 'Of',
    value: row => row.allocated,
    about: 'All blocks that the line allocated in the history',
    text: row => formatCount(row.allocated),
  },
  {
    title: 'Steps',
    value: row => row.steps,
    about: 'Steps in which it allocated a block that stays',
    text: row => formatCount(row.steps),
  },
  {
    title: 'First',
    value: row => row.firstEvent,
    about: 'The event that allocated the first of them',
    text: row => formatCount(row.firstEvent),
  },
  {
    title: 'Last',
    value: row => row.lastEvent,
    about: 'The event that allocated the last of them',
    text: row => formatCount(row.lastEvent),
  },
  place,
];

export const differenceColumns: readonly RowColumn<DifferenceRow>[] = [
  {title: 'Change', value: row => row.deltaBytes, text: row => signed(row.deltaBytes)},
  {title: 'Before', value: row => row.bytes, text: row => bytes(row.bytes)},
  {title: 'After', value: row => row.otherBytes, text: row => bytes(row.otherBytes)},
  {
    title: 'Blocks',
    value: row => row.deltaBlocks,
    text: row => `${formatCount(row.blocks)} → ${formatCount(row.otherBlocks)}`,
  },
  place,
];
