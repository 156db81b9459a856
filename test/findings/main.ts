// Prints precision and recall of the rules over labels.json and the programs of made/. Arguments: the checkout, the folder of real profiles.
import {allRules} from '../../src/core/findings/rules/all-rules.js';
import {madeLabels, madeThatFire} from './made/score-made.js';
import {rulesThatFire} from './rules-that-fire.js';
import {readLabels, scoreOf, totalOf, type Score} from './score.js';

const [, , checkout = '.', folder = ''] = process.argv;
const labels = readLabels(checkout);
const unread: string[] = [];
const found = await rulesThatFire(folder, labels, profile => unread.push(profile));
const made = await madeThatFire();
const scores = allRules.map(({id: rule}) => ({
  rule,
  score: totalOf([scoreOf(rule, labels, found), scoreOf(rule, madeLabels(rule), made.get(rule) ?? new Map())]),
}));

const widest = Math.max(...labels.rules.map(({length}) => length));
const row = (name: string, cells: readonly (number | string)[]) =>
  `${name.padEnd(widest)}${cells.map(cell => String(cell).padStart(14)).join('')}\n`;
const cellsOf = ({precision, recall, right, falseAlarms, missed}: Score) => [
  ...[precision.toFixed(3), recall.toFixed(3)],
  ...[right, falseAlarms.length, missed.length],
];

process.stdout.write(row('', ['precision', 'recall', 'right', 'false alarms', 'missed']));
for (const {rule, score} of scores) process.stdout.write(row(rule, cellsOf(score)));
process.stdout.write(row('all', cellsOf(totalOf(scores.map(({score}) => score)))));
for (const {rule, score} of scores) {
  for (const profile of score.falseAlarms) process.stdout.write(`false alarm: ${rule} in ${profile}\n`);
  for (const profile of score.missed) process.stdout.write(`missed: ${rule} in ${profile}\n`);
}
for (const profile of unread) process.stdout.write(`not read: ${profile}\n`);
