import type {TagApi} from '../../core/source/source-tag.js';

/** A call, macro or type that opens a range. */
export interface CppOpener {
  readonly api: TagApi;
  /** The range ends with the scope, when a call pops it, or when a call ends it by its id. */
  readonly style: 'scope' | 'push' | 'start';
  /** Position of the name among the arguments; null if the range has the function's name. */
  readonly namePosition: number | null;
  /** Position of an NVTX domain's handle among the arguments. */
  readonly domainPosition?: number;
  /** Position of a type that represents a domain, among the arguments of a macro. */
  readonly domainType?: number;
  /** The name is a member of the passed attributes. */
  readonly isAttributes?: boolean;
}

const push = {api: 'nvtxRangePush', style: 'push', namePosition: 0} as const;
const start = {api: 'nvtxRangeStart', style: 'start', namePosition: 0} as const;
const ofDomain = {namePosition: 1, domainPosition: 0, isAttributes: true} as const;
const ofFunction = {api: 'NVTX3_FUNC_RANGE', style: 'scope', namePosition: null} as const;
const record = {api: 'RECORD_FUNCTION', style: 'scope', namePosition: 0} as const;

/** By the last part of their names, because namespaces have aliases. */
const calls: Readonly<Record<string, CppOpener>> = {
  nvtxRangePush: push,
  nvtxRangePushA: push,
  nvtxRangePushW: push,
  nvtxRangePushEx: {...push, isAttributes: true},
  nvtxDomainRangePushEx: {...push, ...ofDomain},
  nvtxRangeStart: start,
  nvtxRangeStartA: start,
  nvtxRangeStartW: start,
  nvtxRangeStartEx: {...start, isAttributes: true},
  nvtxDomainRangeStartEx: {...start, ...ofDomain},
  start_range: {api: 'nvtx3::start_range', style: 'start', namePosition: 0},
  start_range_in: {api: 'nvtx3::start_range', style: 'start', namePosition: 0},
  NVTX3_FUNC_RANGE: ofFunction,
  NVTX3_FUNC_RANGE_IF: ofFunction,
  NVTX3_FUNC_RANGE_IN: {...ofFunction, domainType: 0},
  NVTX3_FUNC_RANGE_IF_IN: {...ofFunction, domainType: 0},
  RECORD_FUNCTION: record,
  RECORD_FUNCTION_WITH_SCOPE: {...record, namePosition: 1},
  RECORD_FUNCTION_WITH_SCOPE_INPUTS_OUTPUTS: {...record, namePosition: 1},
  RECORD_FUNCTION_WITH_INPUTS_OUTPUTS: record,
  RECORD_USER_SCOPE: record,
  RECORD_USER_SCOPE_WITH_INPUTS: record,
  RECORD_USER_SCOPE_WITH_KWARGS_ONLY: record,
  RECORD_WITH_SCOPE_DEBUG_HANDLE_AND_INPUTS: {...record, namePosition: 1},
  RECORD_EDGE_SCOPE_WITH_DEBUG_HANDLE_AND_INPUTS: record,
  RECORD_TORCHSCRIPT_FUNCTION: record,
};

/** Types whose objects keep a range open while they live. */
const types: Readonly<Record<string, CppOpener>> = {
  scoped_range: {api: 'nvtx3::scoped_range', style: 'scope', namePosition: 0},
  scoped_range_in: {api: 'nvtx3::scoped_range', style: 'scope', namePosition: 0},
  thread_range: {api: 'nvtx3::scoped_range', style: 'scope', namePosition: 0},
  domain_thread_range: {api: 'nvtx3::scoped_range', style: 'scope', namePosition: 0},
  unique_range: {api: 'nvtx3::unique_range', style: 'scope', namePosition: 0},
  unique_range_in: {api: 'nvtx3::unique_range', style: 'scope', namePosition: 0},
};

/** Calls that close a range: the kind of range, and the position of the id. */
const closers: Readonly<Record<string, {style: 'push' | 'start'; idPosition: number}>> = {
  nvtxRangePop: {style: 'push', idPosition: 0},
  nvtxDomainRangePop: {style: 'push', idPosition: 0},
  nvtxRangeEnd: {style: 'start', idPosition: 0},
  nvtxDomainRangeEnd: {style: 'start', idPosition: 1},
  end_range: {style: 'start', idPosition: 0},
  end_range_in: {style: 'start', idPosition: 0},
};

/** A file without any match contains none of these. */
export const anyCppTag = /nvtx|NVTX|RECORD_(?:FUNCTION|USER_SCOPE|TORCHSCRIPT_FUNCTION|WITH_SCOPE|EDGE_SCOPE)/;

/** The words in calls and declarations that open or close ranges. */
export const cppTagWords: readonly string[] = [calls, types, closers].flatMap(Object.keys);

export function cppCallOpener(word: string): CppOpener | null {
  return own(calls, word.replace(/^NVTX3_V1_/, 'NVTX3_'));
}

export function cppTypeOpener(word: string): CppOpener | null {
  return own(types, word);
}

export function cppCloser(word: string): {style: 'push' | 'start'; idPosition: number} | null {
  return own(closers, word);
}

function own<T>(table: Readonly<Record<string, T>>, word: string): T | null {
  return Object.hasOwn(table, word) ? (table[word] ?? null) : null;
}
