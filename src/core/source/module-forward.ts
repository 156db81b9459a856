/** The `forward` of a class of the source, on which the ranges of its modules stand. */
export interface ModuleForward {
  readonly className: string;
  /** Line of its `def`, from 1. */
  readonly line: number;
  /** Last line of its body. */
  readonly endLine: number;
  /** Offset of its `def` in UTF-16 units. */
  readonly offset: number;
}

/**
 * The class that a module range is of: `nn.Module: Mlp_3` is the fourth module of class `Mlp` that was called. Null for
 * a name that is no module's.
 */
export function classOfModule(name: string): string | null {
  return /^nn\.Module: (.+?)(?:_\d+)?$/.exec(name)?.[1] ?? null;
}
