import {usualChanges, type NamedChange} from './usual-changes.js';
import type {Trace} from '../trace/trace.js';
import {changeOfRule} from './finding-gains.js';
import {namedSlices} from './changes/named-slices.js';

/** The subject of "What if…": a finding, by its rule, or a range, kernel, operator or line, by its name. */
export type WhatIfTarget = {readonly rule: string} | {readonly name: string};

/** Returns the changes for a target: the fix of a finding, or the possible changes of a range or kernel. */
export function changesOfTarget(trace: Trace, target: WhatIfTarget): NamedChange[] {
  if ('rule' in target) {
    const change = changeOfRule(target.rule);
    if (change === null) return [];
    return [
      usualChanges(trace).find(usual => usual.change === change) ?? {change, title: 'What the finding says is done'},
    ];
  }
  // Ranges that differ only by numbers share a row. Their name without the number matches all of them.
  const name = target.name.replace(/[#_ ]?\*$/, '');
  const {ofThreads} = namedSlices(trace, name);
  return [
    {change: `faster=${name}:2`, title: `${name} takes half of its time`},
    ...(trace.gpuOperations.length === 0 ? [] : changesOnGpu(name, ofThreads.length > 0)),
    {change: `faster=${name}:inf`, title: `${name} is not there`},
  ];
}

/** @param isOfThreads whether it is a range, an operator, a function or a line, rather than a kernel */
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
 * Returns a name that matches all ranges of a line: for names that differ only by a number, the part before it
 * (`layer_0`, `layer_1`: `layer`); null if there is none.
 */
export function nameOfAll(names: readonly string[]): string | null {
  if (names.length < 2) return names[0] ?? null;
  const [first] = names;
  const stem = first.replace(/[#_ :]*\d+$/, '');
  const isNumbered = (name: string) => name.startsWith(stem) && /^[#_ :]*\d+$/.test(name.slice(stem.length));
  return stem !== '' && names.every(isNumbered) ? stem : null;
}
