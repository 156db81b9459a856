import {beforeEach, expect, it, vi} from 'vitest';
import {window} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {rowCommand} = await import('../../../src/host/base/row-command.js');

const acted: (readonly string[])[] = [];
const command = rowCommand<string>(rows => acted.push(rows));

beforeEach(() => {
  acted.length = 0;
  window.told.length = 0;
});

it('acts on the row, on all selected rows if there are several, and on none if it comes from a key', async () => {
  await command('a');
  await command('a', undefined);
  await command('a', []);
  await command('a', ['a', 'b']);
  await command();
  expect(acted).toEqual([['a'], ['a'], ['a'], ['a', 'b'], []]);
  expect(window.told).toEqual([]);
});

const gone: readonly {what: string; chosen: Parameters<typeof command>}[] = [
  {what: 'its row', chosen: [undefined]},
  {what: 'its row, and no other is selected', chosen: [undefined, null]},
  {what: 'one of the selected rows', chosen: ['a', ['a', undefined]]},
];

it.each(gone)('asks to choose again where VS Code does not know $what', async ({chosen}) => {
  await command(...chosen);
  expect(acted).toEqual([]);
  expect(window.told).toEqual(['The list was just updated. Choose again.']);
});
