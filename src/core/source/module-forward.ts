/** The `forward` of a class in the source, on which the ranges of its modules are shown. */
export interface ModuleForward {
  readonly className: string;
  /** Line of its `def`, from 1. */
  readonly line: number;
  /** Last line of its body. */
  readonly endLine: number;
  /** Offset of its `def` in UTF-16 units. */
  readonly offset: number;
}

/** The prefix of module ranges, both PyTorch's own and the runner's. */
const prefix = 'nn.Module: ';

/** Returns the name of the range that the runner opens for a module. */
export function moduleRange(name: string): string {
  return prefix + name;
}

/** Returns the module's name from its range: `Net.layers.0`, or `Linear_0`. Null for other ranges. */
export function moduleOfRange(range: string): string | null {
  return range.startsWith(prefix) ? range.slice(prefix.length) : null;
}

/** Module range → its class according to the runner, with the Python module. */
export type ModuleClasses = Readonly<Record<string, string>>;

/** Returns the classes of a sidecar's modules. */
export function classesOfModules(modules: readonly {readonly name: string; readonly class: string}[]): ModuleClasses {
  return Object.fromEntries(modules.map(({name, class: className}) => [moduleRange(name), className]));
}

/** Returns a class name without enclosing modules and classes: `Block` for `model.Outer.Block`. */
export function simpleClassName(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}

/**
 * Returns the class of a module range: `nn.Module: Mlp_3` is the fourth called module of class `Mlp`. Null if the name
 * is not a module's.
 */
export function classOfModule(name: string): string | null {
  return /^nn\.Module: (.+?)(?:_\d+)?$/.exec(name)?.[1] ?? null;
}
