import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {KeptRow} from '../../src/core/memory-snapshot/kept-rows.js';
import type {LiveBlock} from '../../src/core/memory-snapshot/live-blocks.js';
import type {CodePlace, LiveRow} from '../../src/core/memory-snapshot/live-rows.js';
import type {DifferenceRow} from '../../src/core/memory-snapshot/row-difference.js';
import type {SegmentRow} from '../../src/core/memory-snapshot/segment-rows.js';
import type {RowColumn} from '../shared/grid/row-grid.js';
import {t} from '../shared/translate.js';

/** Returns a place in readable form: `train.py:20 step`. */
function placeText({file, line, function: name}: CodePlace): string {
  if (file === null) return name ?? t('(no line of your code)');
  return `${file.split(/[\\/]/).at(-1) ?? file}:${String(line ?? '')} ${name ?? ''}`;
}

/** Returns a whole stack, from the innermost frame outwards. */
function stackText(stack: readonly CodePlace[]): string {
  return stack.length === 0 ? t('(no stack)') : stack.map(placeText).join(' ← ');
}

const bytes = (value: number): string => formatBytes(value);
const signed = (value: number): string => (value > 0 ? `+${formatBytes(value)}` : formatBytes(value));
const place: RowColumn<CodePlace> = {
  title: t('Line'),
  about: t('The innermost frame of your own code'),
  text: placeText,
  isText: true,
};

export const rowColumns: readonly RowColumn<LiveRow>[] = [
  {title: t('Bytes'), value: row => row.bytes, text: row => bytes(row.bytes)},
  {title: t('Blocks'), value: row => row.blocks, text: row => formatCount(row.blocks)},
  place,
];

export const blockColumns: readonly RowColumn<LiveBlock>[] = [
  {title: t('Bytes'), value: block => block.bytes, text: block => bytes(block.bytes)},
  {
    title: t('Age'),
    value: ({ageUs}) => ageUs,
    about: t('How long it has been live at this moment'),
    text: ({ageUs, allocatedEvent}) =>
      allocatedEvent === null ? t('before the history') : ageUs === null ? '–' : formatDuration(ageUs * 1000),
  },
  {
    title: t('Freed'),
    value: ({freedEvent}) => freedEvent,
    about: t('The event that frees it later'),
    text: ({freedEvent}) => (freedEvent === null ? t('never') : t('event {0}', formatCount(freedEvent))),
  },
  place,
  {title: t('Stack'), about: t('From the innermost frame outwards'), text: ({stack}) => stackText(stack), isText: true},
];

export const segmentColumns: readonly RowColumn<SegmentRow>[] = [
  {title: t('Size'), value: segment => segment.bytes, text: segment => bytes(segment.bytes)},
  {
    title: t('In use'),
    value: segment => segment.activeBytes,
    about: t('Blocks as they were rounded up'),
    text: segment => bytes(segment.activeBytes),
  },
  {title: t('Free'), value: segment => segment.freeBytes, text: segment => bytes(segment.freeBytes)},
  {
    title: t('Largest free'),
    value: segment => segment.largestFreeBytes,
    text: segment => bytes(segment.largestFreeBytes),
  },
  {title: t('Blocks'), value: segment => segment.blocks, text: segment => formatCount(segment.blocks)},
  {
    title: t('Stream'),
    value: ({stream}) => stream,
    text: ({stream}) => (stream === 0 ? t('default') : `0x${stream.toString(16)}`),
  },
  {title: t('Address'), value: ({address}) => address, text: ({address}) => `0x${address.toString(16)}`},
  {
    title: t('Expandable'),
    value: ({isExpandable}) => Number(isExpandable),
    text: ({isExpandable}) => (isExpandable ? t('yes') : t('no')),
  },
  {...place, title: t('Reserved by')},
];

export const keptColumns: readonly RowColumn<KeptRow>[] = [
  {title: t('Kept'), value: row => row.bytes, text: row => bytes(row.bytes)},
  {title: t('Blocks'), value: row => row.blocks, text: row => formatCount(row.blocks)},
  {
    title: t('Of'),
    value: row => row.allocated,
    about: t('All blocks that the line allocated in the history'),
    text: row => formatCount(row.allocated),
  },
  {
    title: t('Steps'),
    value: row => row.steps,
    about: t('Steps in which it allocated a block that stays'),
    text: row => formatCount(row.steps),
  },
  {
    title: t('First'),
    value: row => row.firstEvent,
    about: t('The event that allocated the first of them'),
    text: row => formatCount(row.firstEvent),
  },
  {
    title: t('Last'),
    value: row => row.lastEvent,
    about: t('The event that allocated the last of them'),
    text: row => formatCount(row.lastEvent),
  },
  place,
];

export const differenceColumns: readonly RowColumn<DifferenceRow>[] = [
  {title: t('Change'), value: row => row.deltaBytes, text: row => signed(row.deltaBytes)},
  {title: t('Before'), value: row => row.bytes, text: row => bytes(row.bytes)},
  {title: t('After'), value: row => row.otherBytes, text: row => bytes(row.otherBytes)},
  {
    title: t('Blocks'),
    value: row => row.deltaBlocks,
    text: row => `${formatCount(row.blocks)} → ${formatCount(row.otherBlocks)}`,
  },
  place,
];
