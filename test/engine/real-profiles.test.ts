import {MessageChannel} from 'node:worker_threads';
import {afterAll, describe, expect} from 'vitest';
import {createEngine} from '../../src/engine/engine.js';
import {workerPort} from '../../src/engine/worker-port.js';
import type {EngineRequests} from '../../src/protocol/engine-messages.js';
import {connect, serve} from '../../src/protocol/rpc.js';
import {allLanes} from '../support/all-lanes.js';
import {itEachFile} from '../support/each-file.js';
import {dataFiles} from '../support/real-data.js';

describe('the engine, asked as a window asks it', () => {
  const {port1, port2} = new MessageChannel();
  const settings = {memoryLimitBytes: null, cache: null};
  serve<EngineRequests>(workerPort(port1), createEngine({settings, profiles: []}, 'test'));
  const {ask} = connect<EngineRequests>(workerPort(port2));
  afterAll(() => port1.close());

  itEachFile([...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')])(
    'opens $name, and has blocks for the timeline of all of it',
    async ({path}) => {
      const {id, info, tracks} = await ask('profile/open', {path});
      const lanes = allLanes(tracks.map(({track}) => track));
      const window = {fromNs: 0, toNs: info.spanNs, widthPx: 1000, lanes, instants: [], counters: []};
      const {slices} = await ask('timeline/visible', {profile: id, window});
      expect(slices.blocks.length).toBeGreaterThan(0);
      await ask('profile/close', {profile: id});
    },
  );
});
