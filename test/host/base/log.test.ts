import {homedir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, it, vi} from 'vitest';
import {remoteError, TraceError} from '../../../src/core/base/errors.js';

const shown: {sentence: string; buttons: readonly string[]}[] = [];
let copied = '';
let pressed: string | undefined;

vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  version: '1.101.0',
  extensions: {getExtension: () => ({packageJSON: {version: '9.9.9'}})},
  env: {clipboard: {writeText: (text: string) => Promise.resolve((copied = text))}},
  window: {
    showErrorMessage: (sentence: string, ...buttons: string[]) => {
      shown.push({sentence, buttons});
      return Promise.resolve(pressed);
    },
  },
}));
const {logInternal, showFailure} = await import('../../../src/host/base/log.js');

const logged: string[] = [];
const log = {error: (text: string) => logged.push(text), show: () => logged.push('(shown)')} as unknown as Parameters<
  typeof showFailure
>[0];

beforeEach(() => {
  shown.length = logged.length = 0;
  [copied, pressed] = ['', undefined];
});

describe('showFailure(log, error)', () => {
  it('shows a fault of ours as one sentence, and logs where in the engine it came from', async () => {
    const cause = remoteError('x is undefined', 'TypeError: x is undefined\n    at lanes (/dist/engine.cjs:7:1)');
    await showFailure(log, new TraceError('internal', 'Internal error of GPU Lens: x is undefined', {cause}));
    expect(shown).toEqual([
      {
        sentence: 'Internal error of GPU Lens: x is undefined',
        buttons: ['Show Log', 'Copy Details for an Issue'],
      },
    ]);
    expect(logged.join('\n')).toContain('Caused by: TypeError: x is undefined\n    at lanes (/dist/engine.cjs:7:1)');
  });

  it('copies what an issue needs, without the name of the user’s folder', async () => {
    pressed = 'Copy Details for an Issue';
    const error = new TypeError('x is undefined');
    error.stack = `TypeError: x is undefined\n    at ${join(homedir(), 'secret', 'a.cjs')}:7:1`;
    await showFailure(log, error);
    expect(copied).toMatch(/^Internal error of GPU Lens: x is undefined\nGPU Lens 9\.9\.9, VS Code 1\.101\.0, /);
    expect(copied).toContain(join('~', 'secret', 'a.cjs'));
    expect(copied).not.toContain(homedir());
  });

  it('offers the log alone for what is no fault of ours, and nothing for a cancel', async () => {
    pressed = 'Show Log';
    await showFailure(log, new TraceError('file/missing', 'a.json does not exist.'));
    expect(shown).toEqual([{sentence: 'a.json does not exist.', buttons: ['Show Log']}]);
    expect(logged.at(-1)).toBe('(shown)');
    await showFailure(log, new TraceError('import/cancelled', 'Opening was cancelled.'));
    expect(shown).toHaveLength(1);
  });
});

it('logInternal(log) names the question at which a view’s handler failed', () => {
  logInternal(log).onInternal(new TypeError('x is undefined'), 'table/rows');
  expect(logged[0]).toMatch(/^table\/rows: TypeError: x is undefined\n +at /);
});
