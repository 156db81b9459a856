import {readdirSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {hang, limit, limitMs, sentence} from '../support/hanging-nsys.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

// What a process does is told by /proc.
describe.skipIf(process.platform !== 'linux')('an nsys that hangs', () => {
  it('before it has imported its events has them imported from where it collected them', async () => {
    const faults = {hangs: 'profile', hangsWith: 'temporary', raw: 'with-importer'} as const;
    const {result, left, temporary} = await hang(folder, faults);
    expect(result).toMatchObject({profiles: [{kind: 'nsys'}], sentences: [sentence]});
    expect(readdirSync(temporary)).toEqual([]);
    expect(left).toEqual([]);
  });

  it('in the midst of its import has its events imported anew', async () => {
    const faults = {hangs: 'profile', hangsWith: 'half-report', raw: 'with-importer'} as const;
    const {result, left} = await hang(folder, faults);
    expect(result).toMatchObject({profiles: [{kind: 'nsys'}], sentences: [sentence]});
    expect(left).toEqual([]);
  });

  it('without a report says both', async () => {
    const {result, left} = await hang(folder, {hangs: 'profile'});
    expect(result).toMatchObject({profiles: [], sentences: [sentence, 'nsys ended without a report.']});
    expect(left).toEqual([]);
  });

  it('waits for its program for as long as that runs', async () => {
    const {result, left} = await hang(folder, {}, {line: `sleep ${String((2.5 * limitMs) / 1000)}`});
    expect(result).toMatchObject({status: 0, profiles: [{kind: 'nsys'}], sentences: []});
    expect(left).toEqual([]);
  });

  it('in the export or in the importer is ended, and what it recorded is kept', async () => {
    const said = await hang(folder, {hangs: 'export'});
    expect(said.result).toMatchObject({
      ...{status: 0, profiles: []},
      sentences: [
        expect.stringMatching(
          new RegExp(`^nsys export hung: it neither wrote nor ended for ${limit}, and was ended; `),
        ),
      ],
    });
    expect(said.left).toEqual([]);
    const {result, left} = await hang(folder, {hangs: 'importer', raw: 'with-importer'});
    expect(result).toMatchObject({profiles: [], sentences: [expect.stringMatching(/^QdstrmImporter hung: /)]});
    expect(left).toEqual([]);
  });

  it('and is cancelled leaves no process, and what it had recorded', async () => {
    for (const hangs of ['profile', 'export', 'version'] as const) {
      const stop = new AbortController();
      const abandoned = hangs === 'export' ? limitMs : 0;
      const {result, error, left} = await hang(
        folder,
        {hangs, hangsWith: 'report'},
        {signal: stop.signal, nsysLimitMs: abandoned, onHang: () => stop.abort()},
      );
      expect(left).toEqual([]);
      if (hangs === 'profile') expect(result).toMatchObject({isCancelled: true, profiles: [{kind: 'nsys'}]});
      if (hangs === 'export') expect(result).toMatchObject({isCancelled: true, profiles: []});
      if (hangs === 'version') expect(error).toMatchObject({code: 'import/cancelled'});
    }
  });

  it('and never listens is made to end', async () => {
    const {result, left} = await hang(folder, {hangs: 'profile', hangsWith: 'report', isDeaf: true});
    expect(result).toMatchObject({profiles: [{kind: 'nsys'}], sentences: [sentence]});
    expect(left).toEqual([]);
  });
});
