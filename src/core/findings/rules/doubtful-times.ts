import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {count, defineRule, text} from './rule.js';

const notes = "notes WHERE code = 'gpu/doubtful-times'";

/** Reports times that are probably wrong, according to a note of the profile. */
export const doubtfulTimes = defineRule({
  id: 'doubt/impossible-times',
  looksFor: 'A note in the profile that some GPU operation times are implausible.',
  silentBelow: 'If there is no such note.',
  doubtsFigures: true,
  facts: {
    notes: count(`SELECT count(*) FROM ${notes}`),
    sentence: text(`SELECT text FROM ${notes} LIMIT 1`),
  },
  conclude(number, text) {
    if (number('notes') === 0) return null;
    return {
      severity: 'high',
      title: say('Some times are implausible. {0}', String(text('sentence') ?? '')).trim(),
      evidence: [['notes', say('{0} about implausible times', counted(number('notes'), '{0} note', '{0} notes'))]],
      gainAtMostNs: null,
      advice: say(
        'Treat figures that include these operations with care, and record again: a newer driver or profiler often fixes this. The Data Quality table lists them.',
      ),
      link: 'https://github.com/pytorch/kineto/issues',
    };
  },
});
