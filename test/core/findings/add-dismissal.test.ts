import {expect, it} from 'vitest';
import {addDismissal} from '../../../src/core/findings/add-dismissal.js';
import {parseDismissals} from '../../../src/core/findings/dismissals.js';

const dismissal = {rule: 'copies/small', reason: 'set-up only'};

it('a dismissal is added to what a project’s file says, and read back', () => {
  const text = addDismissal('{"other": [1], "dismissed": [{"rule": "a/b", "reason": "c"}]}', dismissal);
  expect(JSON.parse(text)).toEqual({other: [1], dismissed: [{rule: 'a/b', reason: 'c'}, dismissal]});
  expect(parseDismissals(text, '.gpu-lens.json')).toEqual({
    dismissed: [{rule: 'a/b', reason: 'c'}, dismissal],
    problems: [],
  });
  expect(JSON.parse(addDismissal(null, dismissal))).toEqual({dismissed: [dismissal]});
});

it('a rule has one reason: the new one', () => {
  const text = addDismissal(addDismissal('', {...dismissal, reason: 'old'}), dismissal);
  expect(JSON.parse(text)).toEqual({dismissed: [dismissal]});
});

it.each(['{', '[]', '{"dismissed": 7}'])('a file that is not understood is not overwritten: %s', text => {
  expect(() => addDismissal(text, dismissal)).toThrow('was not changed');
});
