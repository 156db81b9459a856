import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, defineRule, ns} from './rule.js';

/** Calls inside a call of the same name, ignoring the version that CUPTI appends. */
const twofold = `FROM api_calls AS inner_call JOIN slices AS s ON s.id = inner_call.slice_id JOIN slices AS p ON p.id = s.parent_id
WHERE p.kind IN ('cuda_runtime', 'cuda_driver') AND p.name <> s.name
  AND (s.name LIKE replace(p.name, '_', '\\_') || '\\_v%' ESCAPE '\\' OR p.name LIKE replace(s.name, '_', '\\_') || '\\_v%' ESCAPE '\\')`;

/** Finds sums over API calls that count the same call twice. */
export const twofoldCalls = defineRule({
  id: 'doubt/calls-listed-twice',
  looksFor: 'API calls inside a call of the same name, such as cudaMemcpy around cudaMemcpy_v3020.',
  silentBelow: 'If there are no such calls.',
  doubtsFigures: true,
  facts: {calls: count(`SELECT count(*) ${twofold}`), time: ns(`SELECT coalesce(sum(s.duration_ns), 0) ${twofold}`)},
  conclude(number) {
    if (number('calls') === 0) return null;
    return {
      severity: 'low',
      title: say(
        '{0} API calls are listed twice: sums over API calls are too large by {1}.',
        formatCount(number('calls')),
        formatDuration(number('time')),
      ),
      evidence: [
        ['calls', say('Calls inside a call of the same name')],
        ['time', say('Their time, which the outer call also includes')],
      ],
      gainAtMostNs: null,
      advice: say(
        'In tables of API calls, read only one of the two rows. Times of kernels and ranges are not affected.',
      ),
      link: 'https://docs.nvidia.com/nsight-systems/UserGuide/index.html',
    };
  },
});
