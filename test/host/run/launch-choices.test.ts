import {expect, it, vi} from 'vitest';

const configurations = [
  {
    ...{type: 'cppdbg', request: 'launch', name: 'Bench', program: '${command:cmake.launchTargetPath}'},
    args: ['${config:bench.size}'],
  },
  {type: 'cppdbg', request: 'launch', name: 'None', program: '${command:not.there}'},
];

vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  window: {activeTextEditor: undefined},
  workspace: {
    workspaceFolders: [{uri: {fsPath: '/w'}, name: 'w', index: 0}],
    getConfiguration: (section?: string) => ({
      get: (key: string) => (section === 'launch' ? configurations : key === 'bench.size' ? 3 : undefined),
    }),
  },
  commands: {
    executeCommand: (id: string) =>
      id === 'cmake.launchTargetPath' ? Promise.resolve('/w/build/bench') : Promise.reject(new Error('not found')),
  },
}));
const {launchChoices} = await import('../../../src/host/run/choices/launch-choices.js');

it('launchChoices() asks the editor for what its commands and settings stand for, when one is chosen', async () => {
  const [bench, none] = launchChoices();
  expect((await bench?.plan?.())?.definition).toMatchObject({
    ...{command: '/w/build/bench', profiler: 'nsys', args: ['3'], cwd: '/w'},
  });
  await expect(none?.plan?.()).rejects.toThrow(
    'The launch configuration “None” asks for ${command:not.there}, which has no value here: write a value in its place.',
  );
});
