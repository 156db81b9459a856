/** What `torch.autograd.profiler.emit_nvtx` writes into the name of a range. */
export interface OperatorName {
  /** The operator's own name. */
  readonly text: string;
  /** Number of the autograd node that it makes or runs, -1 where it has none. */
  readonly sequence: number;
}

/**
 * The parts of `aten::mm, seq = 7, op_id = 12, sizes = [[2, 3]]`; null for a name that is not made so.
 *
 * @see `getNvtxStr` in torch/csrc/profiler/util.cpp
 */
export function parseOperatorName(name: string): OperatorName | null {
  // Names are long at times: most have no "= ", which is soon seen.
  if (!name.includes(' = ')) return null;
  const marker = /, (seq|op_id) = (\d+)(?=,|$)/.exec(name);
  if (!marker) return null;
  const sequence = marker[1] === 'seq' ? Number(marker[2]) : -1;
  return {text: name.slice(0, marker.index), sequence: Number.isSafeInteger(sequence) ? sequence : -1};
}

/** Whether an operator is of autograd's engine by its name, which no person gives to a range. */
export function isEngineName(text: string): boolean {
  return /^autograd::engine::evaluate_function: |^torch::autograd::/.test(text);
}

/** Whether an operator is a backward one by its name, where nothing else tells. */
export function isBackwardName(text: string): boolean {
  return isEngineName(text) || /Backward\d*$/.test(text);
}

/** Whether an operator adds a gradient to a parameter's: it runs no numbered node. */
export function isGradientAccumulation(text: string): boolean {
  return /(?:^|: |::)AccumulateGrad$/.test(text);
}

/**
 * The name that stands for all that differ by a number only: of an autograd node, of a profiler's step, of an object's
 * address.
 *
 *     aten::mm, seq = 7, op_id = 12                        aten::mm
 *     ProfilerStep#3                                       ProfilerStep*
 *     <built-in method forward of Net object at 0x7f12>    <built-in method forward of Net object>
 */
export function foldName(name: string): string {
  const text = parseOperatorName(name)?.text ?? name;
  return text.replace(/^ProfilerStep#\d+$/, 'ProfilerStep*').replace(/ at 0x[0-9a-fA-F]+/g, '');
}

/** `layer_0`, `layer_17` → `layer_*`: what siblings that differ by a number only have in common; else the name itself. */
export function numberless(name: string): string {
  return name.replace(/\d+/g, '*');
}
