import type {OperatorInputs} from '../../core/figures/operator-inputs.js';
import type {Arguments} from './read-arguments.js';

/** A tensor has few dimensions; a value with more is not a PyTorch tensor. */
const mostSides = 64;

/** Returns the inputs in an operator's event; null if the profiler recorded no shapes. */
export function operatorInputs(args: Arguments): OperatorInputs | null {
  const dims: unknown = args['Input Dims'] ?? args['Input dims'];
  const types: unknown = args['Input type'] ?? args['Input Type'];
  if (!Array.isArray(dims) || !Array.isArray(types)) return null;
  return {dims: dims.map(sidesOf), types: texts(types), values: texts(args['Concrete Inputs'])};
}

/**
 * Returns the sizes of an operator's inputs as PyTorch's tables write them: `[[16, 32], [], []]`; null if none were
 * recorded.
 *
 * As in those tables, a list of tensors is written as an input without sizes.
 */
export function inputShapesText(args: Arguments): string | null {
  const dims: unknown = args['Input Dims'] ?? args['Input dims'];
  if (!Array.isArray(dims)) return null;
  return `[${dims.map(entry => `[${(sidesOf(entry) ?? []).join(', ')}]`).join(', ')}]`;
}

/** Returns null for a list of tensors, and for anything that is not a size. */
function sidesOf(entry: unknown): readonly number[] | null {
  if (!Array.isArray(entry) || entry.length > mostSides) return null;
  const isSize = (side: unknown) => typeof side === 'number' && Number.isSafeInteger(side) && side >= 0;
  return entry.every(isSize) ? (entry as number[]) : null;
}

function texts(list: unknown): string[] {
  return Array.isArray(list) ? list.map(entry => (typeof entry === 'string' ? entry : '')) : [];
}
