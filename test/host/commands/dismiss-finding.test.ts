import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {window} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {dismissFindingCommand} = await import('../../../src/host/commands/dismiss-finding.js');

const {picks} = window;
beforeEach(() => {
  window.told.length = 0;
});
afterEach(() => {
  window.picks = picks;
});

it('asks which finding without a row, and to choose again for a row that VS Code does not know', async () => {
  const findingsOf = vi.fn(() => Promise.resolve({findings: [], hasGpuWork: true, notes: []}));
  const store = {activeOpen: {}};
  window.picks = () => undefined;
  const command = dismissFindingCommand({store, findingsOf, log: {}, workspaceFolder: () => '/w'} as never);
  await command(undefined);
  expect(findingsOf).not.toHaveBeenCalled();
  expect(window.told).toEqual(['The list was just updated. Choose again.']);
  await command();
  expect(findingsOf).toHaveBeenCalledTimes(1);
});
