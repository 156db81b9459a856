import {describe, expect, it} from 'vitest';
import {allRules} from '../../src/core/findings/rules/all-rules.js';
import {findingsOf} from '../support/made-findings.js';
import {project} from '../support/project.js';
import {madeCases} from './made/all-made.js';
import {readLabels} from './score.js';

describe.each(madeCases)('$rule, $what', ({rule, label, program, members}) => {
  it(`is ${label === 'fires' ? '' : 'not '}found`, async () => {
    const found = (await findingsOf(program, members)).find(finding => finding.rule === rule);
    expect(found !== undefined).toBe(label === 'fires');
    if (!found) return;
    expect(found.evidence.length).toBeGreaterThan(0);
    expect(`${found.title} ${found.advice} ${found.evidence.map(({text}) => text).join()}`).not.toMatch(
      /null|NaN|undefined/,
    );
  });
});

it('each rule fires in three profiles or programs at least, and must not fire in ten', () => {
  const {profiles} = readLabels(project);
  for (const {id: rule} of allRules) {
    const labels = [
      ...Object.values(profiles).map(labelOf => labelOf[rule]?.label),
      ...madeCases.filter(made => made.rule === rule).map(made => made.label),
    ];
    expect([rule, labels.filter(label => label === 'fires').length >= 3]).toEqual([rule, true]);
    expect([rule, labels.filter(label => label === 'must not').length >= 10]).toEqual([rule, true]);
  }
});
