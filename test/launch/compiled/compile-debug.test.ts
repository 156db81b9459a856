import {mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {kernelSitesBeside} from '../../../src/launch/compiled/compile-debug.js';
import {json} from '../../support/command-line.js';
import {temporaryFolder} from '../../support/project.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const folder = temporaryFolder();

/** Writes what TORCH_COMPILE_DEBUG=1 leaves of one graph: a kernel that comes from two lines. */
function writeDebug(home: string, run: string, kernel: string, lines: readonly [number, number]): void {
  const graph = join(home, 'torch_compile_debug', run, 'torchinductor', 'model__0_forward_1.0');
  mkdirSync(graph, {recursive: true});
  const code = `# Topologically Sorted Source Nodes: [a, b], Original ATen: [aten.add, aten.mul]
# Source node to ATen node mapping:
#   a => add
#   b => mul
${kernel} = async_compile.triton('${kernel}', '''
''')
`;
  const readable = `     # File: /w/model.py:${String(lines[0])} in forward, code: a = x + 1
    add: "f32[8]" = torch.ops.aten.add.Tensor(x, 1)
     # File: /w/model.py:${String(lines[1])} in forward, code: b = a * 2
    mul: "f32[8]" = torch.ops.aten.mul.Tensor(add, 2)
`;
  writeFileSync(join(graph, 'output_code.py'), code);
  writeFileSync(join(graph, 'fx_graph_readable.py'), readable);
}

const kernel = 'triton_red_fused_add_mean_mul_pow_rsqrt_0';
const at = (line: number, name = kernel) => ({name, file: '/w/model.py', line});

describe('kernelSitesBeside(trace, sidecar)', () => {
  it('reads the last run of Inductor’s in the trace’s folder, or in the one around it', async () => {
    const home = join(folder, 'beside');
    writeDebug(home, 'run_2026_11_20_10_00_00_000000-pid_7', kernel, [1, 2]);
    writeDebug(home, 'run_2026_11_21_09_00_00_000000-pid_5', kernel, [3, 5]);
    expect(await kernelSitesBeside(join(home, 'a.json'), null)).toEqual([at(3), at(5)]);
    expect(await kernelSitesBeside(join(home, 'logs', 'a.json'), null)).toEqual([at(3), at(5)]);
    expect(await kernelSitesBeside(join(folder, 'elsewhere', 'b', 'a.json'), null)).toEqual([]);
  });

  it('takes the run of the process that the trace is called after, where there is one', async () => {
    const home = join(folder, 'processes');
    writeDebug(home, 'run_2026_11_20_10_00_00_000000-pid_7', kernel, [1, 2]);
    writeDebug(home, 'run_2026_11_21_09_00_00_000000-pid_5', kernel, [3, 5]);
    expect(await kernelSitesBeside(join(home, 'host_7.1718000000.pt.trace.json'), null)).toEqual([at(1), at(2)]);
    const gz = 'node-3.cluster_7.1718000000123456789.pt.trace.json.gz';
    expect(await kernelSitesBeside(join(home, gz), null)).toEqual([at(1), at(2)]);
    // Numbers of ranks, steps and dates are none of processes.
    const others = ['host_77.1718000000.pt.trace.json', 'rank_7.json', 'rank7.pt.trace.json', 'run_7.3.json', '7.json'];
    for (const name of others) {
      expect(await kernelSitesBeside(join(home, name), null), name).toEqual([at(3), at(5)]);
    }
  });

  it('takes what the runner noted before what lies about', async () => {
    const home = join(folder, 'noted');
    writeDebug(home, 'run_1', kernel, [1, 2]);
    const kernels = [at(9)];
    expect(await kernelSitesBeside(join(home, 'a.json'), {kernels} as never)).toBe(kernels);
  });

  it('reads nothing of files that are none of Inductor’s', async () => {
    const home = join(folder, 'strange');
    const graph = join(home, 'torch_compile_debug', 'run_1', 'torchinductor', 'model__0');
    mkdirSync(join(graph, 'output_code.py'), {recursive: true});
    writeFileSync(join(home, 'torch_compile_debug', 'run_1', 'torchinductor', 'file'), '');
    expect(await kernelSitesBeside(join(home, 'a.json'), null)).toEqual([]);
  });
});

it.skipIf(!hasData)(
  'a debug folder beside a real trace names the lines of its kernels in compiled_sum and ranges',
  () => {
    const home = join(folder, 'real');
    writeDebug(home, 'run_1', kernel, [41, 42]);
    const trace = join(home, 'trace.json.gz');
    symlinkSync(join(dataFolder, 'kineto', 'torch-compile-triton-mi300.json.gz'), trace);
    const rows = json('stats', trace, '-r', 'compiled_sum') as Record<string, unknown>[];
    const lines = new Map(rows.map(row => [row['Operator'], row['Lines']]));
    expect(lines.get(kernel)).toBe('/w/model.py:41, /w/model.py:42');
    expect(lines.get('triton_poi_fused__unsafe_view_add_3')).toBe('inside compiled region');
    const ranges = json('ranges', trace, '--kinds', 'op') as {name: string; file: string | null; line: number | null}[];
    expect(ranges.find(({name}) => name === kernel)).toMatchObject({file: '/w/model.py', line: 41});
  },
);
