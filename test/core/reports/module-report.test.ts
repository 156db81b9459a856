import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModuleClasses} from '../../../src/core/source/module-forward.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {makeReports, parseReportRequest} from '../../../src/core/reports/reports.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {kineto, type KinetoEvent} from '../../support/kineto-events.js';
import {reportOfTrace, textRows} from '../../support/make-report.js';
import {project} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const python = process.env['GPU_LENS_PYTHON'] ?? 'python3';
const backwardThread = 200;
const onBackwardThread = {tid: backwardThread};

type Open = (name: string, ts: number, dur: number) => KinetoEvent;

/** A call of a module from `ts` on that launches a kernel of `us` in its middle. */
function working(open: Open, name: string, id: number, ts: number, us: number): KinetoEvent[] {
  return [open(`nn.Module: ${name}`, ts, 10), kineto.call(id, ts + 4, 2), kineto.kernel(id, 1000 + 100 * id, us)];
}

/** A net of three alike layers with two modules each, and a head; `nameOf` gives each place its name. */
function network(open: Open, nameOf: (place: string) => string): KinetoEvent[] {
  const layers = [0, 1, 2].flatMap(layer => {
    const startUs = 100 * layer + 10;
    const place = `Net.layers.${String(layer)}`;
    return [
      open(`nn.Module: ${nameOf(place)}`, startUs, 80),
      ...working(open, nameOf(`${place}.attn`), 2 * layer + 1, startUs + 10, 5 + layer),
      ...working(open, nameOf(`${place}.mlp`), 2 * layer + 2, startUs + 40, 10),
    ];
  });
  return [open(`nn.Module: ${nameOf('Net')}`, 0, 400), ...layers, ...working(open, nameOf('Net.head'), 9, 350, 40)];
}

const numbered: Readonly<Record<string, string>> = {
  Net: 'Net_0',
  'Net.head': 'Linear_6',
  ...Object.fromEntries(
    [0, 1, 2].flatMap(layer => [
      [`Net.layers.${String(layer)}`, `Block_${String(layer)}`],
      [`Net.layers.${String(layer)}.attn`, `Linear_${String(2 * layer)}`],
      [`Net.layers.${String(layer)}.mlp`, `Linear_${String(2 * layer + 1)}`],
    ]),
  ),
};

/** Name, modules, calls, total, self and mean of each row. */
function shortRows(trace: Trace, name = 'modules_sum', moduleClasses: ModuleClasses = {}): unknown[][] {
  const request = parseReportRequest(name);
  if (!request) throw new Error(`No report ${name}.`);
  const [report] = makeReports([request], {trace, details: noDetails, scope: wholeTrace, moduleClasses});
  const keys = ['Module', 'Modules', 'Calls', 'Total Time (ns)', 'Self (ns)', 'Avg (ns)'];
  return report === undefined ? [] : textRows(report).map(row => keys.map(key => row[key]));
}

describe('modules_sum', () => {
  it('has identical layers as one row, by the places that the runner names', async () => {
    const trace = await traceOfEvents(network(kineto.op, place => place));
    expect(shortRows(trace)).toEqual([
      ['Net', '1', '1', '88000', '0', '88000.0'],
      ['Net.layers.0…2', '3', '3', '48000', '0', '16000.0'],
      ['Net.layers.0…2.mlp', '3', '3', '30000', '30000', '10000.0'],
      ['Net.layers.0…2.attn', '3', '3', '18000', '18000', '6000.0'],
      ['Net.head', '1', '1', '40000', '40000', '40000.0'],
    ]);
  });

  it('has them as one row by the numbers of Python stacks, with their classes', async () => {
    const trace = await traceOfEvents(network(kineto.python, place => numbered[place] ?? place));
    expect(shortRows(trace)).toEqual([
      ['Net_0', '1', '1', '88000', '0', '88000.0'],
      ['Net_0/Block_0…2', '3', '3', '48000', '0', '16000.0'],
      ['Net_0/Block_0…2/Linear_1, 3, 5', '3', '3', '30000', '30000', '10000.0'],
      ['Net_0/Block_0…2/Linear_0, 2, 4', '3', '3', '18000', '18000', '6000.0'],
      ['Net_0/Linear_6', '1', '1', '40000', '40000', '40000.0'],
    ]);
    expect(textRows(reportOfTrace(trace, 'modules_sum')).map(row => row['Class'])).toEqual([
      'Net',
      'Block',
      'Linear',
      'Linear',
      'Linear',
    ]);
  });

  it('shows each layer by itself with :each', async () => {
    const trace = await traceOfEvents(network(kineto.op, place => place));
    const layers = shortRows(trace, 'modules_sum:each').filter(([name]) => /layers\.\d$/.test(String(name)));
    expect(layers).toEqual([
      ['Net.layers.2', '1', '1', '17000', '0', '17000.0'],
      ['Net.layers.1', '1', '1', '16000', '0', '16000.0'],
      ['Net.layers.0', '1', '1', '15000', '0', '15000.0'],
    ]);
  });

  it('counts a call once that stacks and the runner have both recorded, by the place that the runner names', async () => {
    const inStacks = network(kineto.python, place => numbered[place] ?? place);
    const byRunner = network(kineto.op, place => place).filter(({name}) => name.startsWith('nn.Module: '));
    const both = await traceOfEvents([...inStacks, ...byRunner]);
    const alone = await traceOfEvents(network(kineto.op, place => place));
    expect(shortRows(both)).toEqual(shortRows(alone));
    const modules = attributionOf(both, {kinds: new Set(['module'])}).ranges.slice;
    expect(modules).toHaveLength(byRunner.length);
  });

  it('keeps layers apart that differ inside, have a gap between them, or whose class nobody knows', async () => {
    const call = (name: string, ts: number) => kineto.op(`nn.Module: ${name}`, ts, 1);
    const trace = await traceOfEvents([
      kineto.op('nn.Module: Net', 0, 100),
      kineto.op('nn.Module: Net.blocks.0', 10, 10),
      call('Net.blocks.0.conv', 11),
      kineto.op('nn.Module: Net.blocks.1', 30, 10),
      call('Net.blocks.1.conv', 31),
      call('Net.blocks.1.downsample', 33),
      ...['Net.mlp.0', 'Net.mlp.1', 'Net.mlp.3'].map((name, at) => call(name, 50 + at)),
    ]);
    const names = (classes: ModuleClasses) => shortRows(trace, 'modules_sum', classes).map(([name]) => name);
    const usual = ['Net', 'Net.blocks.0', 'Net.blocks.0.conv', 'Net.blocks.1', 'Net.blocks.1.conv'];
    expect(names({}).sort()).toEqual(
      [...usual, 'Net.blocks.1.downsample', 'Net.mlp.0', 'Net.mlp.1', 'Net.mlp.3'].sort(),
    );
    const linear = Object.fromEntries([0, 1, 3].map(at => [`nn.Module: Net.mlp.${String(at)}`, 'torch.nn.Linear']));
    expect(names(linear).filter(name => String(name).includes('mlp'))).toEqual(['Net.mlp.0…1', 'Net.mlp.3']);
    const mixed = {...linear, 'nn.Module: Net.mlp.1': 'torch.nn.ReLU'};
    expect(names(mixed).filter(name => String(name).includes('…'))).toEqual([]);
  });

  it('gives backward work to the module of the forward operator, and keeps the account closed', async () => {
    const trace = await traceOfEvents([
      kineto.op('nn.Module: Net', 0, 50),
      kineto.op('aten::mm', 5, 20, {'Sequence number': 3, 'Fwd thread id': 0}),
      kineto.call(1, 6, 2),
      kineto.kernel(1, 30, 7),
      kineto.op('MmBackward0', 100, 30, {'Sequence number': 3, 'Fwd thread id': 1}, backwardThread),
      {...kineto.call(2, 105, 2), ...onBackwardThread},
      kineto.kernel(2, 120, 11),
      kineto.call(3, 200, 2),
      kineto.kernel(3, 210, 2),
      kineto.kernel(99, 230, 1),
    ]);
    const rows = textRows(reportOfTrace(trace, 'modules_sum'));
    const works = ['Total Time (ns)', 'Forward (ns)', 'Backward (ns)', 'Self (ns)'];
    expect(rows.map(row => [row['Module'], ...works.map(key => row[key])])).toEqual([
      ['Net', '18000', '7000', '11000', '18000'],
      ['(outside any module)', '2000', '2000', '0', '2000'],
      ['(no launch call)', '1000', '1000', '0', '1000'],
    ]);
    expect(rows.map(row => row['Share (%)'])).toEqual(['85.71', '9.52', '4.76']);
  });

  it('says what is missing where no call of a module was recorded', async () => {
    const trace = await traceOfEvents([kineto.op('aten::mm', 0, 10), kineto.call(1, 2, 2), kineto.kernel(1, 20, 5)]);
    expect(reportOfTrace(trace, 'modules_sum').rows.length).toBe(0);
  });

  it('has for the modules of the sample, which the runner recorded, calls and CPU time of its steps', async () => {
    const trace = await openTrace(join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'));
    const rows = textRows(reportOfTrace(trace, 'modules_sum'));
    // Three steps were recorded of a model of four blocks.
    const counts = Object.fromEntries(
      rows.map(row => [row['Module'] ?? '', [Number(row['Modules']), Number(row['Calls'])]]),
    );
    const expected = {
      Transformer: [1, 3],
      'Transformer.blocks.0…3': [4, 12],
      'Transformer.blocks.0…3.attention.qkv': [4, 12],
      'Transformer.head': [1, 3],
    };
    expect(counts).toMatchObject(expected);
    const cpuOf = (name: string) => Number(rows.find(row => row['Module'] === name)?.['CPU Time (ns)']);
    const blocks = textRows(reportOfTrace(trace, 'modules_sum:each')).filter(row =>
      /^Transformer\.blocks\.\d$/.test(row['Module'] ?? ''),
    );
    expect(blocks).toHaveLength(4);
    expect(cpuOf('Transformer.blocks.0…3')).toBe(blocks.reduce((sum, row) => sum + Number(row['CPU Time (ns)']), 0));
  });

  describe.skipIf(!hasData)('of public profiles', () => {
    it.each(['bert-small-h100', 'qwen1.5-0.5b-h100', 'train-resnet18-ddp-mi300'])(
      '%s: forward, backward, calls and CPU time are those of a plain count',
      async name => {
        const path = join(dataFolder, 'kineto', `${name}.json.gz`);
        const script = join(import.meta.dirname, 'module_times.py');
        const counted = spawnSync(python, [script, path], {encoding: 'utf8'});
        expect(counted.stderr).toBe('');
        const trace = await openTrace(path);
        const shown: Record<string, number[]> = {};
        for (const row of textRows(reportOfTrace(trace, 'modules_sum:each'))) {
          const module = row['Module']?.split('/').at(-1) ?? '';
          if (module.startsWith('(')) continue;
          const keys = ['Forward (ns)', 'Backward (ns)', 'Calls', 'CPU Time (ns)'];
          shown[module] = keys.map((key, at) => (shown[module]?.[at] ?? 0) + Number(row[key]));
        }
        expect(shown).toEqual(JSON.parse(counted.stdout) as unknown);
      },
    );

    it('self work of all rows is all GPU work', async () => {
      const trace = await openTrace(join(dataFolder, 'kineto', 'train-resnet18-ddp-mi300.json.gz'));
      const {slices, gpuOperations} = trace;
      const allNs = gpuOperations.slice.reduce((sum, row) => sum + (slices.durationNs[row] ?? NaN), 0);
      for (const name of ['modules_sum', 'modules_sum:each']) {
        const rows = textRows(reportOfTrace(trace, name));
        expect(rows.reduce((sum, row) => sum + Number(row['Self (ns)']), 0)).toBe(allNs);
      }
    });
  });
});
