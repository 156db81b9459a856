import {describe, expect, it} from 'vitest';
import {describeError, isOutOfMemory, storyOf, TraceError} from '../../../src/core/base/errors.js';

const full = {
  code: 'engine/out-of-memory',
  message: 'There is not enough memory for this profile. Close other profiles or programs.',
};

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('describeError(error, fallback)', () => {
  it.each([
    ['a buffer that is too long', () => new ArrayBuffer(2 ** 53 - 1)],
    ['an array that is too long', () => new Float64Array(2 ** 52)],
  ])('says that memory ran out for %s, also where an importer has said that it could not read', (_what, action) => {
    const cause = thrownBy(action);
    expect(isOutOfMemory(cause)).toBe(true);
    expect(describeError(cause, 'rpc/failed')).toEqual(full);
    const told = new TraceError('import/damaged', 'a.sqlite is damaged: no memory.', {cause});
    expect(describeError(told, 'rpc/failed')).toEqual(full);
  });

  it('keeps the sentence of one that was told what memory was for', () => {
    const cause = new RangeError('Array buffer allocation failed');
    const told = new TraceError('engine/out-of-memory', 'There is not enough memory to open a.json.', {cause});
    expect(describeError(told, 'rpc/failed')).toEqual({code: told.code, message: told.message});
  });

  it('keeps the message of anything else', () => {
    const cause = new RangeError('Invalid string length');
    expect(describeError(new TraceError('file/missing', 'gone', {cause}), 'rpc/failed')).toEqual({
      code: 'file/missing',
      message: 'gone',
    });
    expect(describeError('a text', 'rpc/failed')).toEqual({code: 'rpc/failed', message: 'a text'});
  });

  it('tells faults of ours from what the system refused, where nothing else is known of an error', () => {
    expect(describeError(new TypeError('x is undefined'), 'internal')).toEqual({
      code: 'internal',
      message: 'Internal error of GPU Lens: x is undefined',
    });
    const full = Object.assign(new Error('ENOSPC: no space left on device'), {code: 'ENOSPC'});
    expect(describeError(full, 'internal')).toEqual({code: 'file/unreadable', message: full.message});
  });
});

describe('storyOf(error)', () => {
  it('has the stacks of an error and of its causes, in order, and ends', () => {
    const cause = new RangeError('page 7', {cause: 'a text'});
    const story = storyOf(new TraceError('import/damaged', 'a.sqlite is damaged.', {cause}));
    expect(story).toMatch(
      /^TraceError: a\.sqlite is damaged\.\n +at [^]*\[import\/damaged\]\nCaused by: RangeError: page 7\n[^]*\nCaused by: a text$/,
    );
    const circle = new Error('round');
    circle.cause = circle;
    expect(storyOf(circle).split('Caused by: ')).toHaveLength(8);
  });
});
