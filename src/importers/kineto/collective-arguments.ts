import type {CollectiveArguments} from '../../core/figures/report-details.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the facts about a collective in an event's arguments: `record_param_comms` has them since 2023, NCCL's
 * kernels since 2024. Earlier files have only the shape and type of the first input. Null if there are none.
 */
export function collectiveArguments(args: Arguments): CollectiveArguments | null {
  const operation = text(args['Collective name']);
  const shaped = operation === null ? firstInput(args) : null;
  if (operation === null && shaped === null) return null;
  return {
    operation,
    group: text(args['Process Group Name']) ?? text(args['Process Group ID']),
    groupDescription: text(args['Process Group Description']),
    groupSize: count(args['Group size']),
    inElements: shaped?.elements ?? count(args['In msg nelems']),
    outElements: count(args['Out msg nelems']),
    dataType: shaped?.dataType ?? text(args['dtype']),
    sequence: count(args['Seq']),
    groupRanks: text(args['Process Group Ranks']),
    splits: text(args['In split size']) ?? splitsOfOperator(args),
    peer: count(args['Dst Rank']),
  };
}

/** Reads the fifth input of `c10d::alltoall_base_`: the sizes sent to each rank, null if they are equal. */
function splitsOfOperator(args: Arguments): string | null {
  const values: unknown = args['Concrete Inputs'];
  const splits: unknown = Array.isArray(values) ? values[4] : null;
  return typeof splits === 'string' && /^\[[\d, ]+\]$/.test(splits) ? splits : null;
}

/** Elements and type of the first input that is a tensor. */
function firstInput(args: Arguments): {elements: number; dataType: string} | null {
  const shape = firstOf(args['Input Dims']);
  const dataType = firstOf(args['Input type']);
  if (!Array.isArray(shape) || shape.length === 0 || typeof dataType !== 'string') return null;
  const elements = (shape as unknown[]).reduce((product: number, size) => product * count(size), 1);
  return Number.isNaN(elements) ? null : {elements, dataType};
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as unknown[])[0] : undefined;
}

function text(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : NaN;
}
