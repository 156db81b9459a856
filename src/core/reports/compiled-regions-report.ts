import {getOrAdd} from '../table/get-or-add.js';
import type {ReportInput} from '../figures/report-input.js';
import {hasNoGpuWork} from './empty-traces.js';
import type {ReportDefinition, ReportRows} from './report.js';
import {runGpuWorkNs, runShare, runShareColumn} from './run-share.js';
import {amount, compareText, numberColumn, textColumn, timeColumn} from './summary.js';

/** `compiled_sum`: GPU work of the regions that torch.compile made. @see docs/metrics.md#compiled-sum */
export const compiledSummary: ReportDefinition = {
  id: 'compiled_sum',
  oldId: null,
  title: 'Compiled Region Summary',
  options: [],
  details: () => [],
  about: 'work of compiled regions (torch.compile)',
  tabs: [
    {
      id: 'compiled',
      title: 'Compiled regions',
      row: 'operator',
      after: 'collective-calls',
      group: 'Summary',
      isEmpty: hasNoGpuWork,
      about: 'work of compiled regions (torch.compile)',
    },
  ],
  needs: ['kernelLines'],
  columns: [
    runShareColumn,
    timeColumn('Total Time', 'durations of the operations, summed', amount),
    numberColumn('Operations', 'number of GPU operations'),
    textColumn('Region', 'outermost compiled region around the launch, with its number of frame and compilation'),
    textColumn('Operator', 'innermost operator in it that launched them; Triton’s kernels have one of their own', {
      role: 'name',
    }),
    textColumn(
      'Fused',
      'operators that the name of a Triton kernel says are fused in it; else: inside compiled region',
    ),
    textColumn('Lines', 'lines that the kernel comes from, by Inductor’s provenance; else: inside compiled region'),
  ],
  rows: compiledRows,
};

interface CompiledRow {
  readonly region: string;
  readonly operator: string;
  totalNs: number;
  operations: number;
}

const inside = 'inside compiled region';

function compiledRows(input: ReportInput): ReportRows {
  const {trace, scope, tables, kernelLines} = input;
  const {siteOf} = tables.launchSites;
  const regionOfNode = regionsOfNodes(input);
  const durations = tables.operationNs;
  const rows = new Map<string, CompiledRow>();
  for (let operation = 0; operation < siteOf.length; operation++) {
    const node = siteOf[operation] < 0 ? -1 : tables.operatorStacks.node[siteOf[operation]];
    if (node < 0 || regionOfNode[node] < 0 || scope.operations?.[operation] === 0) continue;
    const region = trace.strings.get(regionOfNode[node]);
    const operator = trace.strings.get(trace.slices.name[tables.operatorStacks.slice[node]]);
    const row = getOrAdd(rows, JSON.stringify([region, operator]), () => ({
      region,
      operator,
      totalNs: 0,
      operations: 0,
    }));
    row.totalNs += durations[operation];
    row.operations++;
  }
  const order = [...rows.values()].sort((a, b) => b.totalNs - a.totalNs || compareText(a.operator, b.operator));
  const allNs = runGpuWorkNs(input);
  const compiledNs = order.reduce((sum, {totalNs}) => sum + totalNs, 0);
  return {
    length: order.length,
    cells: at => {
      const {region, operator, totalNs, operations} = order[at];
      const lines = kernelLines?.get(operator)?.join(', ') ?? inside;
      return [
        runShare(totalNs, allNs),
        totalNs,
        operations,
        region,
        operator,
        fusedOperators(operator) ?? inside,
        lines,
      ];
    },
    footer: [`${String(runShare(compiledNs, allNs) ?? 0)} % of all GPU work is of compiled regions.`],
  };
}

/** Maps each node of the operators' stacks to the name (index) of its outermost compiled region; -1 for none. */
function regionsOfNodes({trace: {slices, strings}, tables}: ReportInput): Int32Array {
  const {slice, parent} = tables.operatorStacks;
  const region = new Int32Array(slice.length).fill(-1);
  // A node comes after its parent.
  for (let node = 0; node < region.length; node++) {
    const name = slices.name[slice[node]];
    if (parent[node] >= 0) region[node] = region[parent[node]];
    if (region[node] < 0 && strings.get(name).startsWith('Torch-Compiled Region')) region[node] = name;
  }
  return region;
}

/**
 * Returns the operators that Inductor fused into a Triton kernel: "add_mean" for `triton_red_fused_add_mean_0`. Null
 * for other names. Underscores both separate operators and occur in their names, so they are kept.
 *
 * @see torch/_inductor/codegen/triton.py, get_fused_kernel_name
 */
export function fusedOperators(name: string): string | null {
  return /^triton_[a-z0-9]+_fused_(.+)_\d+$/.exec(name)?.[1] ?? null;
}
