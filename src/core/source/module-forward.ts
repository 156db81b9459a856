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

/** What the ranges of modules begin with, PyTorch's own and the runner's. */
const prefix = 'nn.Module: ';

/** The range of a module that the runner calls so. */
export function moduleRange(name: string): string {
  return prefix + name;
}

/** What the module of a range is called: `Net.layers.0`, or `Linear_0`. Null for a range of another kind. */
export function moduleOfRange(range: string): string | null {
  return range.startsWith(prefix) ? range.slice(prefix.length) : null;
}

/** Module range → the class that the runner says it is of, with its Python module. */
export type ModuleClasses = Readonly<Record<string, string>>;

/** The classes of the modules that a sidecar tells of. */
export function classesOfModules(modules: readonly {readonly name: string; readonly class: string}[]): ModuleClasses {
  return Object.fromEntries(modules.map(({name, class: className}) => [moduleRange(name), className]));
}

/** A class without the modules and classes that it is in: `model.Outer.Block` is `Block`. */
export function simpleClassName(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}

/**
 * The class that a module range is of: `nn.Module: Mlp_3` is the fourth module of class `Mlp` that was called. Null for
 * a name that is no module's.
 */
export function classOfModule(name: string): string | null {
  return /^nn\.Module: (.+?)(?:_\d+)?$/.exec(name)?.[1] ?? null;
}
