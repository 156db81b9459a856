import {expect, it} from 'vitest';
import {stepChoices} from '../../webview/shared/step-choices.js';

const upTo = (count: number) => Array.from({length: count}, (_, at) => at);

it('stepChoices(numbers) has them all where they are few', () => {
  expect(stepChoices([3, 4], 4)).toEqual([
    {value: '3', text: 'Step 3'},
    {value: '4', text: 'Step 4'},
  ]);
});

it('stepChoices(numbers, chosen, count) has the first thousand and the chosen one, and says so', () => {
  const choices = stepChoices(upTo(2000), 1500);
  expect(choices).toHaveLength(1002);
  expect(choices.slice(-2)).toEqual([
    {value: '1500', text: 'Step 1500'},
    {value: 'rest', text: 'The first 1,000 of 2,000 steps: a time window reaches the others', isDisabled: true},
  ]);
  expect(stepChoices(upTo(1000), 7, 5000).at(-1)?.text).toMatch(/^The first 1,000 of 5,000 steps/);
});
