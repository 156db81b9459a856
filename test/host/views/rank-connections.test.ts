import {expect, it, vi} from 'vitest';
import type {RankRequests} from '../../../src/protocol/rank-messages.js';
import {connect, serve} from '../../../src/protocol/rpc.js';
import {settle} from '../../support/page.js';
import {EventEmitter} from '../../support/vscode-stand-in.js';
import {webviewEnds} from '../../support/webview-ends.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {MemoryConnection} = await import('../../../src/host/memory/memory-connection.js');
const {QueryConnection} = await import('../../../src/host/query/query-connection.js');
const {ViewConnection} = await import('../../../src/host/views/view-connection.js');

interface PageRequests extends RankRequests {
  'view/ready': {params: undefined; result: undefined};
}

const never = new EventEmitter().event;
const runner = {onDidChange: never, content: {state: 'empty'}, cancel: () => undefined};
const file = () => '/w/memory.pickle';

it.each([
  {
    name: 'a view of a profile',
    connect: (webview: never, services: never) => new ViewConnection(webview, services, () => ({state: 'empty'}), null),
  },
  {
    name: 'results of a query',
    connect: (webview: never, services: never) => new QueryConnection(webview, runner as never, services, {} as never),
  },
  {
    name: 'a memory snapshot',
    connect: (webview: never, services: never) =>
      new MemoryConnection(
        ...[webview, services],
        file(),
        file,
        () => ({state: 'opening', name: '', fraction: 0}),
        () => undefined,
      ),
  },
])('$name asks for its ranks again when the job changes, and learns why a rank does not open', async made => {
  const {webview, port} = webviewEnds();
  const told: string[] = [];
  const names = ['view/content', 'query/content', 'memory/content', 'ranks/changed'];
  serve(port, Object.fromEntries(names.map(name => [name, () => void told.push(name)])) as never);
  const changed = new EventEmitter();
  const services = {
    store: {byKey: () => null, open: [], onDidChange: never},
    jobs: {active: null, rankOf: () => null, onDidChange: changed.event},
    scopes: {onDidChange: never},
  };
  const connection = made.connect(webview as never, services as never);
  const page = connect<PageRequests>(port);
  // A page that is not there yet will ask anyway.
  changed.fire(undefined);
  await page.ask('view/ready', undefined);
  await settle();
  expect(told).toHaveLength(1);
  changed.fire(undefined);
  await settle();
  expect(told.slice(1)).toEqual(['ranks/changed']);
  await expect(page.ask('ranks/show', {key: 1, rank: 3})).rejects.toThrow('The job has no profile of rank 3.');
  connection.dispose();
  changed.fire(undefined);
  await settle();
  expect(told).toHaveLength(2);
});
