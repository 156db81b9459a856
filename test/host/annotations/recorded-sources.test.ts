import {expect, it, vi} from 'vitest';
import {EventEmitter, trusted} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {RecordedSources} = await import('../../../src/host/annotations/recorded-sources.js');

it('of(recording, document) looks for an unknown text again once the workspace is trusted, and git may be asked', () => {
  const pathOf = vi.fn(() => null);
  const recorded = new RecordedSources({pathOf, onDidChange: new EventEmitter().event as never});
  const recording = {key: 1, path: '/w/p.json', state: {sidecar: null}};
  // No source: nothing is read.
  const document = {uri: {path: '/w/notes.txt', scheme: 'file'}, languageId: 'plaintext'} as never;
  for (let time = 0; time < 2; time++) expect(recorded.of(recording, document)).toBeNull();
  expect(pathOf).toHaveBeenCalledTimes(1);
  trusted.fire(undefined);
  expect(recorded.of(recording, document)).toBeNull();
  expect(pathOf).toHaveBeenCalledTimes(2);
  recorded.dispose();
});
