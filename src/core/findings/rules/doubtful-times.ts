import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {count, defineRule, text} from './rule.js';

const notes = "notes WHERE code = 'gpu/doubtful-times'";

/** Reports times that are probably wrong, according to a note of the profile. */
export const doubtfulTimes = defineRule({
  id: 'doubt/impossible-times',
  looksFor: 'A note of the profile that times of GPU operations can hardly be right.',
  silentBelow: 'Without such a note.',
  doubtsFigures: true,
  facts: {
    notes: count(`SELECT count(*) FROM ${notes}`),
    sentence: text(`SELECT text FROM ${notes} LIMIT 1`),
  },
  conclude(number, text) {
    if (number('notes') === 0) return null;
    return {
      severity: 'high',
      title: say('Some times can hardly be right. {0}', String(text('sentence') ?? '')).trim(),
      evidence: [
        ['notes', say('{0} about times that can hardly be right', counted(number('notes'), '{0} note', '{0} notes'))],
      ],
      gainAtMostNs: null,
      advice: say(
        'Read figures that hold these operations with care, and record again: a newer driver or profiler often mends it. The table Data Quality lists them.',
      ),
      link: 'https://github.com/pytorch/kineto/issues',
    };
  },
});
