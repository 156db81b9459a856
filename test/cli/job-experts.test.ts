import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {expertLoads} from '../../src/core/job/expert-loads.js';
import type {JobRank} from '../../src/core/job/job-rank.js';
import {jobReport} from '../../src/core/job/job-report.js';
import {jobText} from '../../src/cli/job-output.js';
import {expectSchema} from '../support/json-schema.js';
import {layerExchanges} from '../../src/core/job/layer-exchanges.js';
import {ranksOfSummary} from '../../src/core/job/ranks-of-summary.js';
import {summaryTable} from '../../src/core/job/summary-table.js';
import {ranksOfProfile} from '../../src/cli/ranks-of-file.js';
import {kineto} from '../support/kineto-events.js';
import {project} from '../support/project.js';
import {ofEvents} from '../support/trace-of-events.js';

describe('all-to-all calls', () => {
  it('of a trace are found outside every range, each pass through the experts by itself', async () => {
    const exchange = (id: number, ts: number) => [
      kineto.op('record_param_comms', ts, 4, {
        'Collective name': 'all_to_allv',
        'In split size': '[3, 1]',
        'Group size': 2,
      }),
      kineto.call(id, ts + 1, 1),
      {...kineto.kernel(id, ts + 2, 5), name: 'ncclDevKernel_SendRecv(x)'},
    ];
    const pass = (layer: number, id: number, ts: number) => [
      ...exchange(id, ts),
      kineto.range(`layers.${String(layer)}.experts.0`, ts + 10, 10),
      kineto.range(`layers.${String(layer)}.experts.1`, ts + 20, 10),
      ...exchange(id + 1, ts + 35),
    ];
    const events = [...pass(0, 1, 0), ...pass(1, 3, 100), ...pass(0, 5, 200)];
    const ranks = await ofEvents(events, {distributedInfo: {rank: 0, world_size: 2}}, path => ranksOfProfile(path, 0));
    expect(layerExchanges(ranks).map(({layer, calls, busyNs, received}) => [layer, calls, busyNs, received])).toEqual([
      [
        'layers.0',
        4,
        20_000,
        [
          {rank: 0, tokens: 6},
          {rank: 1, tokens: 2},
        ],
      ],
      [
        'layers.1',
        2,
        10_000,
        [
          {rank: 0, tokens: 3},
          {rank: 1, tokens: 1},
        ],
      ],
    ]);
    const text = jobText(jobReport(ranks), null, 'json');
    expectSchema('job', text);
    const {experts, exchanges} = JSON.parse(text) as Record<'experts' | 'exchanges', readonly {layer: string}[]>;
    expect(exchanges.map(({layer}) => layer)).toEqual(['layers.0', 'layers.1']);
    expect(experts.map(({layer}) => layer).toSorted()).toEqual(['layers.0', 'layers.1']);
    expect(ranks[0]?.calls.map(({layer, isDispatch}) => [layer, isDispatch])).toEqual([
      ['layers.0', true],
      ['layers.0', false],
      ['layers.1', true],
      ['layers.1', false],
      ['layers.0', true],
      ['layers.0', false],
    ]);
  });
});

describe('four recorded ranks with experts', () => {
  const folder = join(project, 'test', 'fixtures', 'experts');

  it('on the CPU have the CPU wall time of experts, which tables, CSV and JSON call so', async () => {
    const paths = [0, 1, 2, 3].map(rank => join(folder, `experts.rank${String(rank)}.pt.trace.json.gz`));
    const report = jobReport((await Promise.all(paths.map(ranksOfProfile))).flat());
    expect(jobText(report, 'expert', 'table')).toContain('Experts: CPU wall time by layer');
    expect(jobText(report, 'expert', 'table')).toContain('Its CPU wall time');
    expect(jobText(report, 'expert', 'csv')).toContain('itsCpuWallNs');
    expect(jobText(report, null, 'json')).toContain('"code": "job/experts"');
  });

  /** What the recorded program counted itself, by rank. */
  const told = JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8')) as {
    steps: {
      given: Record<string, number>;
      sent: Record<string, number[]>;
      routed: number;
      dropped: number;
    }[];
  }[];
  const steps = told.flatMap(rank => rank.steps);
  const sum = (values: number[]) => values.reduce((total, one) => total + one, 0);
  const layers = ['layers.0.mlp', 'layers.1.mlp'];
  let ranks: JobRank[] = [];

  beforeAll(async () => {
    const files = told.map((_, rank) => join(folder, `experts.rank${String(rank)}.pt.trace.json.gz`));
    ranks = (await Promise.all(files.map(file => ranksOfProfile(file, 0)))).flat();
  });

  it('have the tokens of each expert, and what overflowed its capacity, as the program counted them', () => {
    const loads = expertLoads(ranks);
    expect(loads.map(({layer}) => layer).sort()).toEqual(layers);
    for (const {layer, experts, tokenImbalance} of loads) {
      const given = experts.map(({expert}) => sum(steps.map(step => step.given[`${layer} ${String(expert)}`] ?? 0)));
      expect(experts.map(({tokens}) => tokens)).toEqual(given);
      expect(tokenImbalance).toBeCloseTo((Math.max(...given) * 8) / sum(given), 9);
    }
    expect(sum(loads.map(({routedTokens}) => routedTokens ?? NaN))).toBe(sum(steps.map(({routed}) => routed)));
    expect(sum(loads.map(({droppedTokens}) => droppedTokens ?? NaN))).toBe(sum(steps.map(({dropped}) => dropped)));
  });

  it('have the rows that each rank is given, though Gloo alone does not tell the parts of its calls', () => {
    const exchanges = layerExchanges(ranks);
    expect(exchanges.map(({layer}) => layer).sort()).toEqual(layers);
    for (const {layer, received} of exchanges) {
      const sent = told.map((_, to) => sum(steps.map(step => step.sent[layer ?? '']?.[to] ?? NaN)));
      expect(received?.map(({tokens}) => tokens)).toEqual(sent);
    }
  });

  it('tell nothing of what was dropped if one of them is missing', () => {
    expect(expertLoads(ranks.slice(1)).map(({droppedTokens}) => droppedTokens)).toEqual([null, null]);
  });

  it('are in their summaries what they are in their profiles', () => {
    const table = summaryTable(ranks);
    expect(ranksOfSummary(table, table.kind.length, 0).map(({tokens}) => tokens)).toEqual(
      ranks.map(({tokens}) => tokens),
    );
  });
});
