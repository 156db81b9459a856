import {expect, it, vi} from 'vitest';
import type {ComparisonHostRequests} from '../../../src/protocol/comparison-messages.js';
import type {PageRequests} from '../../../src/protocol/page-messages.js';
import {connect} from '../../../src/protocol/rpc.js';
import {settle} from '../../support/page.js';
import {webviewEnds} from '../../support/webview-ends.js';

const copied: string[] = [];
vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  env: {clipboard: {writeText: (text: string) => Promise.resolve(copied.push(text))}},
  extensions: {getExtension: () => undefined},
  version: '1.101.0',
}));
const {ComparisonConnection, ShownComparison} = await import('../../../src/host/views/comparison-connection.js');

/** A page and its connection, which exchange messages at once. */
function connected() {
  const {webview, port, listeners} = webviewEnds();
  const sent: unknown[] = [];
  port.onMessage(message => sent.push(message));
  const logged: string[] = [];
  const log = {error: (text: string) => logged.push(text), show: () => logged.push('shown')};
  const shown = new ShownComparison();
  const connection = new ComparisonConnection(webview as never, shown, {} as never, log as never);
  const page = connect<ComparisonHostRequests & PageRequests>(port);
  const contents = () => sent.filter(message => JSON.stringify(message).includes('comparison/content')).length;
  return {connection, page, shown, logged, contents, listeners};
}

it('logs a fault of a page with its stack, shows the log, and copies what an issue needs', async () => {
  const {page, logged} = connected();
  const fault = {
    page: 'GPU Comparison',
    message: 'rows is undefined',
    stack: 'TypeError\n    at draw (compare.js:1:2)',
  };
  await page.ask('page/fault', fault);
  await page.ask('page/show-log', undefined);
  await page.ask('page/copy-fault', fault);
  expect(logged).toEqual(['GPU Comparison: rows is undefined\nTypeError\n    at draw (compare.js:1:2)', 'shown']);
  expect(copied[0]).toContain('VS Code 1.101.0');
  expect(copied[0]).toContain('at draw (compare.js:1:2)');
});

it('sends nothing to a page that is hidden until it says that it runs again, and answers none after it is disposed of', async () => {
  const {connection, page, shown, contents, listeners} = connected();
  shown.show({state: 'empty'});
  expect(contents()).toBe(0);
  await page.ask('view/ready', undefined);
  expect(contents()).toBe(1);
  connection.becomeHidden();
  shown.show({state: 'empty'});
  expect(contents()).toBe(1);
  await page.ask('view/ready', undefined);
  expect(contents()).toBe(2);
  connection.dispose();
  await settle();
  expect(listeners()).toBe(0);
});
