/** The parts that `torch.autograd.profiler.emit_nvtx` writes into the name of a range. */
export interface OperatorName {
  /** The operator's own name. */
  readonly text: string;
  /** Number of the autograd node that it creates or runs, -1 for none. */
  readonly sequence: number;
}

/**
 * Parses `aten::mm, seq = 7, op_id = 12, sizes = [[2, 3]]`; null for a name of another form.
 *
 * @see `getNvtxStr` in torch/csrc/profiler/util.cpp
 */
export function parseOperatorName(name: string): OperatorName | null {
  // A fast check first: names may be long, and most do not contain " = ".
  if (!name.includes(' = ')) return null;
  const marker = /, (seq|op_id) = (\d+)(?=,|$)/.exec(name);
  if (!marker) return null;
  const sequence = marker[1] === 'seq' ? Number(marker[2]) : -1;
  return {text: name.slice(0, marker.index), sequence: Number.isSafeInteger(sequence) ? sequence : -1};
}

/** Returns whether an operator belongs to autograd's engine, by a name that users do not give to ranges. */
export function isEngineName(text: string): boolean {
  return /^autograd::engine::evaluate_function: |^torch::autograd::/.test(text);
}

/** Returns whether an operator is a backward one by its name, if nothing else shows it. */
export function isBackwardName(text: string): boolean {
  return isEngineName(text) || /Backward\d*$/.test(text);
}

/** Returns whether an operator accumulates a gradient of a parameter: it runs no numbered node. */
export function isGradientAccumulation(text: string): boolean {
  return /(?:^|: |::)AccumulateGrad$/.test(text);
}

/**
 * Returns a name without the numbers of autograd nodes, profiler steps and object addresses, so that names that differ
 * only by these are equal.
 *
 *     aten::mm, seq = 7, op_id = 12                        aten::mm
 *     ProfilerStep#3                                       ProfilerStep*
 *     <built-in method forward of Net object at 0x7f12>    <built-in method forward of Net object>
 */
export function foldName(name: string): string {
  const text = parseOperatorName(name)?.text ?? name;
  return text.replace(/^ProfilerStep#\d+$/, 'ProfilerStep*').replace(/ at 0x[0-9a-fA-F]+/g, '');
}

/**
 * Replaces numbers, so that siblings that differ only by a number are equal: `layer_0`, `layer_17` → `layer_*`. Other
 * names are unchanged.
 */
export function numberless(name: string): string {
  return name.replace(/\d+/g, '*');
}
