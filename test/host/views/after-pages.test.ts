import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {afterPages} from '../../../src/host/views/after-pages.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('afterPages(editors, command)', () => {
  it('shows the list once the page is there, with what the command was given', async () => {
    let comes = (): void => undefined;
    const page = new Promise<void>(resolve => (comes = resolve));
    const command = vi.fn<(file: string) => string>(() => 'chosen');
    const result = afterPages({whenShown: () => page}, command)('base.json');
    await vi.advanceTimersByTimeAsync(1000);
    expect(command).not.toHaveBeenCalled();
    comes();
    expect(await result).toBe('chosen');
    expect(command).toHaveBeenCalledExactlyOnceWith('base.json');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait for ever for a page that never comes', async () => {
    const command = vi.fn<() => void>();
    const result = afterPages({whenShown: () => new Promise<void>(() => undefined)}, command)();
    await vi.advanceTimersByTimeAsync(3000);
    await result;
    expect(command).toHaveBeenCalledOnce();
  });
});
