import {usualChanges, type NamedChange} from './usual-changes.js';
import type {Trace} from '../trace/trace.js';
import {changeOfRule} from './finding-gains.js';
import {namedSlices} from './changes/named-slices.js';

/** What somebody asks "What if…" about: a finding by its rule, or a range, kernel, operator or line by its name. */
export type WhatIfTarget = {readonly rule: string} | {readonly name: string};

/** The changes of a target: what mends a finding; what could be different about a range or a kernel. */
export function changesOfTarget(trace: Trace, target: WhatIfTarget): NamedChange[] {
  if ('rule' in target) {
    const change = changeOfRule(target.rule);
    if (change === null) return [];
    return [
      usualChanges(trace).find(usual => usual.change === change) ?? {change, title: 'What the finding says is done'},
    ];
  }
  // Ranges that differ by numbers alone are one row: their name without the number is that of all.
  const name = target.name.replace(/[#_ ]?\*$/, '');
  const {ofThreads} = namedSlices(trace, name);
  return [
    {change: `faster=${name}:2`, title: `${name} takes half of its time`},
    ...(trace.gpuOperations.length === 0 ? [] : changesOnGpu(name, ofThreads.length > 0)),
    {change: `faster=${name}:inf`, title: `${name} is not there`},
  ];
}

/** @param isOfThreads whether it is a range, an operator, a function or a line, and no kernel */
function changesOnGpu(name: string, isOfThreads: boolean): NamedChange[] {
  const ofBoth = [
    {change: `at-roof=${name}`, title: `${isOfThreads ? `Kernels of ${name}` : name} at the roof of the GPU`},
    {change: `precision=bf16:${name}`, title: `Products of ${name} are in bfloat16`},
    {change: `precision=tf32:${name}`, title: `Products of ${name} are in TF32`},
  ];
  if (!isOfThreads) return ofBoth;
  return [
    ...ofBoth,
    {change: `attention=fused:${name}`, title: `Attention in ${name} is fused`},
    {change: `fuse=${name}`, title: `Elementwise kernels in a row in ${name} are fused`},
    {change: `remove-sync=${name}`, title: `No thread waits for the GPU in ${name}`},
    {change: `graph=${name}`, title: `${name} is one CUDA graph`},
  ];
}

/**
 * The name that stands for all ranges of a line: of those that differ by a number alone the part before it (`layer_0`,
 * `layer_1`: `layer`); null where they have no such name.
 */
export function nameOfAll(names: readonly string[]): string | null {
  if (names.length < 2) return names[0] ?? null;
  const [first] = names;
  const stem = first.replace(/[#_ :]*\d+$/, '');
  const isNumbered = (name: string) => name.startsWith(stem) && /^[#_ :]*\d+$/.test(name.slice(stem.length));
  return stem !== '' && names.every(isNumbered) ? stem : null;
}
