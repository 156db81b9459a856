import {afterEach, beforeEach, expect, it} from 'vitest';
import {setWords} from '../../../src/core/base/say.js';
import {nsysRules} from '../../../src/core/findings/nsys/nsys-rules.js';
import {printedRules} from '../../../src/core/findings/printed/printed-rules.js';
import {allRules} from '../../../src/core/findings/rules/all-rules.js';
import type {FactValue, Rule} from '../../../src/core/findings/rules/rule.js';
import {seededRandom} from '../../support/random.js';
import {outsideOfWords, pseudoWords} from '../../support/translations.js';

const columns = ['Sample', 'Mean', 'StdDev', '1 fp32', '1 bf16', 'CUDA time avg'];
const tables = ['cuda_api_sum', 'cuda_gpu_kern_sum', 'cuda_gpu_mem_time_sum', 'nvtx_sum', 'key_averages', 'benchmark'];
const printed = tables.map((report, id) => ({id, report, run: '1', label: '2', columns}));
const rules = [...allRules, ...nsysRules, ...printedRules.flatMap(rule => rule.ruleFor(printed) ?? [])];

/** Facts that a profile may have: every threshold of a rule lies between two of these numbers. */
const numbers = [0, 0.5, 1, 4, 20, 60, 500, 1e4, 1e6, 1e9];
const draws = 3000;

/** Draws facts until a rule has concluded a hundred times, so that it has said all that it can say. */
function conclusionsOf(rule: Rule): readonly string[] {
  const random = seededRandom(7);
  const draw = (unit: string): FactValue =>
    unit === 'text' ? '3' : (numbers[Math.floor(random() * numbers.length)] ?? null);
  const said = new Set<string>();
  let concluded = 0;
  for (let at = 0; at < draws && concluded < 100; at++) {
    const facts = Object.entries(rule.facts).map(([name, {unit}]) => [name, draw(unit)]);
    const conclusion = rule.conclude(Object.fromEntries(facts) as Record<string, FactValue>);
    if (!conclusion) continue;
    concluded++;
    for (const text of [conclusion.title, conclusion.advice, ...conclusion.evidence.map(([, text]) => text)])
      said.add(text);
  }
  return [...said];
}

beforeEach(() => {
  setWords(pseudoWords);
});
afterEach(() => {
  setWords(undefined);
});

it.each(rules)('$id says its title, its evidence and its advice in the editor’s language', rule => {
  const said = conclusionsOf(rule);
  expect(said.length).toBeGreaterThan(2);
  expect(outsideOfWords(said)).toEqual([]);
});
