import {expect, it} from 'vitest';
import {parseDismissals, withoutDismissed} from '../../../src/core/findings/dismissals.js';
import {findIn} from '../../../src/core/findings/find.js';

const file = '.gpu-lens.json';

it('takes rules with reasons, beside what else the file has', () => {
  const dismissed = [{rule: 'copies/small', reason: 'set-up only'}];
  expect(parseDismissals(JSON.stringify({budgets: ['a <= 1 ms'], dismissed}), file)).toEqual({dismissed, problems: []});
  expect(parseDismissals('{"budgets": []}', file)).toEqual({dismissed: [], problems: []});
});

it.each([
  '',
  '[]',
  '{"dismissed": "all"}',
  '{"dismissed": ["copies/small"]}',
  '{"dismissed": [{"rule": "a", "reason": " "}]}',
])('dismisses nothing where it does not understand %j, and says so', text => {
  const {dismissed, problems} = parseDismissals(text, file);
  expect(dismissed).toEqual([]);
  expect(problems).toEqual([expect.stringContaining(file)]);
});

it('names what was dismissed with its reason, and nothing that was not found', async () => {
  const found = await findIn(statements => Promise.resolve(statements.map(() => null)));
  const dismissed = [
    {rule: 'doubt/impossible-times', reason: 'a known driver'},
    {rule: 'copies/small', reason: 'set-up only'},
  ];
  const finding = {
    ...{rule: 'copies/small', severity: 'low' as const, title: 'Many copies', evidence: [], gainAtMostNs: null},
    ...{advice: '', link: null, file: null, line: null, startNs: null},
  };
  const left = withoutDismissed({...found, findings: [finding]}, {dismissed, problems: []});
  expect(left.findings).toEqual([]);
  expect(left.notes).toEqual(['The finding copies/small is dismissed: set-up only']);
});
