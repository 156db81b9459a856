import {expect, it, vi} from 'vitest';

const ran: string[] = [];
vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  commands: {executeCommand: (command: string) => Promise.resolve(ran.push(command))},
}));
const {createViewCommands} = await import('../../../src/host/views/view-commands.js');
const {profilePanels} = await import('../../../src/host/base/profile-panels.js');

it('show-flame shows the flame graph of the profile in the editor with the button', () => {
  const store = {active: {path: '/b'}, activate: (path: string) => ran.push(`activate ${path}`)};
  const run = createViewCommands(store as never, {} as never);
  run('show-flame', {fsPath: '/a'} as never);
  run('show-flame', {fsPath: '/b'} as never);
  run('show-flame', null);
  const {command} = profilePanels.flame;
  expect(ran).toEqual(['activate /a', command, command, command]);
});
