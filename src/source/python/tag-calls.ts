import type {TagApi} from '../../core/source/source-tag.js';

/** When the range of a call ends: with a block, when a call pops it, or when a call ends it by its id. */
type TagStyle = 'block' | 'push' | 'start';

/** A call that opens a range. */
export interface Opener {
  readonly api: TagApi;
  readonly style: TagStyle;
  /** Openers and closers of one family belong together. */
  readonly family: string;
  /** Keywords of the first argument, the name; null for a call without a name. */
  readonly nameKeywords: readonly string[] | null;
  /** The name is formatted by `str.format` with the other arguments. */
  readonly formats?: boolean;
  /** Position of the argument `domain`. */
  readonly domainPosition?: number;
  /** The name that a decorator without a name gives to the range. */
  readonly decoratorName?: '__name__' | '__qualname__';
}

/** A call that closes a range: the last pushed one, or the one with the passed id. */
export interface Closer {
  readonly style: 'push' | 'start';
  readonly family: string;
}

const name = ['name'];
const message = ['message', 'msg'];
const torch = {family: 'torch'} as const;
const nvtx = {family: 'nvtx', nameKeywords: message} as const;

/** The documented dotted names of calls. */
const openers: Readonly<Record<string, Opener>> = {
  'torch.profiler.record_function': {api: 'record_function', style: 'block', ...torch, nameKeywords: name},
  'torch.cuda.nvtx.range': {
    api: 'torch.cuda.nvtx.range',
    style: 'block',
    ...torch,
    nameKeywords: ['msg'],
    formats: true,
  },
  'torch.cuda.nvtx.range_push': {
    api: 'torch.cuda.nvtx.range_push',
    style: 'push',
    ...torch,
    nameKeywords: ['msg'],
  },
  'torch.cuda.nvtx.range_start': {
    api: 'torch.cuda.nvtx.range_start',
    style: 'start',
    ...torch,
    nameKeywords: ['msg'],
  },
  'torch.autograd.profiler.emit_nvtx': {api: 'emit_nvtx', style: 'block', ...torch, nameKeywords: null},
  'nvtx.annotate': {api: 'nvtx.annotate', style: 'block', ...nvtx, domainPosition: 2, decoratorName: '__name__'},
  'nvtx.push_range': {api: 'nvtx.push_range', style: 'push', ...nvtx, domainPosition: 2},
  'nvtx.start_range': {api: 'nvtx.start_range', style: 'start', ...nvtx, domainPosition: 2},
  'jax.profiler.TraceAnnotation': {
    api: 'jax.profiler.TraceAnnotation',
    style: 'block',
    family: 'jax',
    nameKeywords: name,
  },
  'jax.profiler.StepTraceAnnotation': {
    api: 'jax.profiler.StepTraceAnnotation',
    style: 'block',
    family: 'jax',
    nameKeywords: name,
  },
  'jax.profiler.annotate_function': {
    api: 'jax.profiler.annotate_function',
    style: 'block',
    family: 'jax',
    nameKeywords: name,
    decoratorName: '__qualname__',
  },
  'jax.named_scope': {api: 'jax.named_scope', style: 'block', family: 'jax', nameKeywords: name},
  'triton.profiler.scope': {api: 'proton.scope', style: 'block', family: 'proton', nameKeywords: name},
  'triton.profiler.enter_scope': {api: 'proton.enter_scope', style: 'push', family: 'proton', nameKeywords: name},
};

const closers: Readonly<Record<string, Closer>> = {
  'torch.cuda.nvtx.range_pop': {style: 'push', family: 'torch'},
  'torch.cuda.nvtx.range_end': {style: 'start', family: 'torch'},
  'nvtx.pop_range': {style: 'push', family: 'nvtx'},
  'nvtx.end_range': {style: 'start', family: 'nvtx'},
  'triton.profiler.exit_scope': {style: 'push', family: 'proton'},
};

/**
 * Other paths to the same functions: another module, a re-export, an attribute, a star import from an unknown module.
 */
const otherNames: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)(record_function|_RecordFunctionFast)$/, 'torch.profiler.record_function'],
  [/(^|\.)nvtx\.range(_push|_start|_pop|_end|)$/, 'torch.cuda.nvtx.range'],
  [/(^|\.)emit_nvtx$/, 'torch.autograd.profiler.emit_nvtx'],
  [/(^|\.)nvtx\.(annotate|push_range|start_range|pop_range|end_range)$/, 'nvtx.'],
  [/(^|\.)(TraceAnnotation|StepTraceAnnotation)$/, 'jax.profiler.'],
  [/(^|\.)jax\.(named_scope)$/, 'jax.'],
  [/(?:^|\.)proton\.(?:cpu_timed_|metadata_)?(scope)$/, 'triton.profiler.'],
  [/(^|\.)proton\.(enter_scope|exit_scope)$/, 'triton.profiler.'],
  [/^triton\.profiler\.(?:language\.|cpu_timed_)(enter_scope|exit_scope|scope)$/, 'triton.profiler.'],
];

/** A file without any match contains no such call: most files of a workspace have none. */
export const anyTagCall =
  /record_function|_RecordFunctionFast|nvtx|TraceAnnotation|annotate_function|named_scope|proton|triton\.profiler/;

/** The last words of these calls' names, by themselves and after a module's name. */
export const unqualifiedWords: readonly string[] = [
  'record_function',
  '_RecordFunctionFast',
  'emit_nvtx',
  'TraceAnnotation',
  'StepTraceAnnotation',
];
export const qualifiedWords: readonly string[] = [
  ...new Set([
    ...[...Object.keys(openers), ...Object.keys(closers)].map(name => name.slice(name.lastIndexOf('.') + 1)),
    ...unqualifiedWords,
    'cpu_timed_scope',
  ]),
];

export function openerOf(names: readonly string[]): Opener | null {
  return firstOf(names, openers);
}

export function closerOf(names: readonly string[]): Closer | null {
  return firstOf(names, closers);
}

function firstOf<T>(names: readonly string[], table: Readonly<Record<string, T>>): T | null {
  for (const dotted of names) {
    const known = Object.hasOwn(table, dotted) ? table[dotted] : undefined;
    if (known !== undefined) return known;
  }
  for (const dotted of names) {
    const documented = documentedName(dotted);
    const known = documented !== null && Object.hasOwn(table, documented) ? table[documented] : undefined;
    if (known !== undefined) return known;
  }
  return null;
}

function documentedName(dotted: string): string | null {
  for (const [pattern, target] of otherNames) {
    const match = pattern.exec(dotted);
    if (!match) continue;
    const last = match[2] ?? match[1] ?? '';
    return target.endsWith('.') || target.endsWith('.range') ? target + last : target;
  }
  return null;
}
