import {tensorTypeName, type OperatorInputs} from '../figures/operator-inputs.js';
import {getOrAdd} from '../table/get-or-add.js';
import {kindIndex} from '../trace/slices.js';
import type {ReportInput} from '../figures/report-input.js';
import type {ReportDefinition, ReportRows} from './report.js';
import {compareText, numberColumn, textColumn} from './summary.js';

/**
 * `precision_sum`: the data types of the inputs of operators in each range, and the casts. @see
 * docs/metrics.md#precision-sum
 */
export const precisionSummary: ReportDefinition = {
  id: 'precision_sum',
  oldId: null,
  title: 'Precision by Range',
  options: ['module'],
  details: () => ['shapes'],
  about: 'shapes of operators (record_shapes=True)',
  columns: [
    textColumn(
      'Range',
      'innermost tagged range around the operator on its thread; with `module` the innermost module',
      {role: 'range'},
    ),
    textColumn('Pass', 'backward where autograd runs the operator, else forward'),
    numberColumn('Operators', 'number of operators whose inputs are recorded'),
    textColumn('Inputs', 'data types of their tensors, with how many tensors of each'),
    textColumn('Casts', 'copies between data types, with their number'),
  ],
  rows: precisionRows,
};

interface Row {
  readonly range: string;
  readonly pass: 'forward' | 'backward';
  operators: number;
  readonly inputs: Map<string, number>;
  readonly casts: Map<string, number>;
}

const outside = {range: '(outside any range)', module: '(outside any module)'} as const;
const modulePrefix = /^nn\.Module: /;
const autograd = 'autograd::engine::evaluate_function';

function precisionRows(input: ReportInput): ReportRows {
  const rows = new Map<string, Row>();
  forEachOperator(input, (range, pass, name, inputs) => {
    const row = getOrAdd(rows, JSON.stringify([range, pass]), () => ({
      range,
      pass,
      operators: 0,
      inputs: new Map<string, number>(),
      casts: new Map<string, number>(),
    }));
    row.operators++;
    const types = inputs.types.map((type, at) => tensorTypeName(type, inputs.dims[at] ?? null));
    for (const type of types) if (type !== null) count(row.inputs, type);
    // The target type comes first, then the source type.
    const [target, source] = types;
    if (name === 'aten::copy_' && target && source && target !== source) count(row.casts, `${source} → ${target}`);
  });
  const order = [...rows.values()].sort((a, b) => b.operators - a.operators || compareText(a.range, b.range));
  return {
    length: order.length,
    ...(input.details.hasShapes && {absent: 'operators whose cost shapes tell: it has shapes of others'}),
    cells: at => {
      const {range, pass, operators, inputs, casts} = order[at];
      return [range, pass, operators, countsText(inputs), countsText(casts)];
    },
  };
}

/** The range and pass around an operator. */
interface Around {
  readonly range: string;
  readonly pass: Row['pass'];
}

/** The open ranges of a thread, the innermost last. */
class OpenRanges {
  readonly #open: (Around & {readonly endNs: number})[] = [];

  constructor(private readonly outside: string) {}

  /** Returns the innermost range open at a time, and drops ranges that have ended. */
  at(atNs: number): Around {
    while ((this.#open.at(-1)?.endNs ?? Infinity) <= atNs) this.#open.pop();
    return this.#open.at(-1) ?? {range: this.outside, pass: 'forward'};
  }

  push(around: Around, endNs: number): void {
    this.#open.push({...around, endNs});
  }
}

/**
 * Calls back with each operator in scope whose inputs are recorded, in the order of the slices table: by thread and
 * time.
 */
function forEachOperator(
  {trace: {slices, strings}, details, scope, options}: ReportInput,
  take: (range: string, pass: Row['pass'], name: string, inputs: OperatorInputs) => void,
): void {
  const {kind, name, track, startNs, durationNs, length} = slices;
  const byModule = options.includes('module');
  const begin = () => new OpenRanges(outside[byModule ? 'module' : 'range']);
  let open = begin();
  for (let row = 0; row < length; row++) {
    if (row > 0 && track[row] !== track[row - 1]) open = begin();
    const {range, pass} = open.at(startNs[row]);
    const text = strings.get(name[row]);
    const own = rangeName(kind[row], text, byModule);
    const endNs = startNs[row] + durationNs[row];
    if (own !== null) open.push({range: own, pass}, endNs);
    else if (text.startsWith(autograd)) open.push({range, pass: 'backward'}, endNs);
    const inputs = scope.slices?.[row] === 0 ? undefined : details.shapes?.get(row);
    if (inputs) take(range, pass, text, inputs);
  }
}

/** Returns the name of a slice as a range; null if it is not one. */
function rangeName(kind: number, text: string, byModule: boolean): string | null {
  if (byModule) return kind === kindIndex.module ? text.replace(modulePrefix, '') : null;
  return kind === kindIndex.user_annotation || kind === kindIndex.nvtx_pushpop ? text : null;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** `bfloat16 × 12, float32 × 3`; null for none. */
function countsText(counts: ReadonlyMap<string, number>): string | null {
  if (counts.size === 0) return null;
  return [...counts]
    .sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))
    .map(([type, number]) => `${type} × ${String(number)}`)
    .join(', ');
}
