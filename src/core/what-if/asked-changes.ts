import {say} from '../base/say.js';
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
      usualChanges(trace).find(usual => usual.change === change) ?? {
        change,
        title: say('The advice of the finding is followed'),
      },
    ];
  }
  // Ranges that differ only by numbers share a row. Their name without the number matches all of them.
  const name = target.name.replace(/[#_ ]?\*$/, '');
  const {ofThreads} = namedSlices(trace, name);
  return [
    {change: `faster=${name}:2`, title: say('{0} takes half of its time', name)},
    ...(trace.gpuOperations.length === 0 ? [] : changesOnGpu(name, ofThreads.length > 0)),
    {change: `faster=${name}:inf`, title: say('{0} is removed', name)},
  ];
}

/** @param isOfThreads whether it is a range, an operator, a function or a line, rather than a kernel */
function changesOnGpu(name: string, isOfThreads: boolean): NamedChange[] {
  const ofBoth = [
    {
      change: `at-roof=${name}`,
      title: isOfThreads ? say('Kernels of {0} at the roof of the GPU', name) : say('{0} at the roof of the GPU', name),
    },
    {change: `precision=bf16:${name}`, title: say('Products of {0} are in bfloat16', name)},
    {change: `precision=tf32:${name}`, title: say('Products of {0} are in TF32', name)},
  ];
  if (!isOfThreads) return ofBoth;
  return [
    ...ofBoth,
    {change: `attention=fused:${name}`, title: say('Attention in {0} is fused', name)},
    {change: `fuse=${name}`, title: say('Elementwise kernels in a row in {0} are fused', name)},
    {change: `remove-sync=${name}`, title: say('No thread waits for the GPU in {0}', name)},
    {change: `graph=${name}`, title: say('{0} is one CUDA graph', name)},
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
