import {describe, expect, it, vi} from 'vitest';

const editor = vi.hoisted(() => ({title: '', reported: [] as object[], cancel: (): void => undefined}));
vi.mock('vscode', () => ({
  ProgressLocation: {Notification: 15},
  window: {
    withProgress: (options: object, run: (progress: object, token: object) => unknown) => {
      expect(options).toMatchObject({location: 15, cancellable: true});
      editor.title = (options as {title: string}).title;
      return run(
        {report: (value: object) => editor.reported.push(value)},
        {onCancellationRequested: (listener: () => void) => (editor.cancel = listener)},
      );
    },
  },
}));
const {partListener, withCancel} = await import('../../../src/host/base/cancellable.js');

describe('withCancel(title, act)', () => {
  it('is the result, and shows a title in which no name is a link', async () => {
    expect(await withCancel('Reading [a](command:b)', () => Promise.resolve(7))).toBe(7);
    expect(editor.title).toBe('Reading [a]\u200b(command:b)');
  });

  it('is null where cancelling ended the action', async () => {
    const answer = withCancel('', ({signal}) => {
      editor.cancel();
      return signal.aborted ? Promise.reject(new Error('stopped')) : Promise.resolve(1);
    });
    expect(await answer).toBeNull();
  });

  it('is the result where the action ended in spite of that', async () => {
    const answer = withCancel('', () => {
      editor.cancel();
      return Promise.resolve(1);
    });
    expect(await answer).toBe(1);
  });

  it('throws what fails without being cancelled', async () => {
    await expect(withCancel('', () => Promise.reject(new Error('disk full')))).rejects.toThrow('disk full');
  });
});

it('partListener(progress) reports the percent that were added', () => {
  const tell = partListener({report: value => editor.reported.push(value)});
  for (const part of [0.25, 0.75, 1]) tell({part});
  expect(editor.reported).toEqual([{increment: 25}, {increment: 50}, {increment: 25}]);
});
