import {say} from '../../base/say.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {collectiveCauses} from './collective-sql.js';
import {mainDevice} from './idle-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

const onMainDevice = `device IS ${mainDevice}`;
const isCommunication = "class = 'communication'";

/** Time covered only by communication, found by a sweep over the ends of all operations. */
const exposed = `WITH marks AS (
  SELECT start_ns AS at_ns, ${isCommunication} AS communication, NOT (${isCommunication}) AS other FROM gpu_operations WHERE ${onMainDevice}
  UNION ALL SELECT end_ns, -(${isCommunication}), -(NOT (${isCommunication})) FROM gpu_operations WHERE ${onMainDevice}
), instants AS (
  SELECT lead(at_ns) OVER times - at_ns AS length_ns, sum(communication) OVER times AS communication, sum(other) OVER times AS other
  FROM marks WINDOW times AS (ORDER BY at_ns ROWS UNBOUNDED PRECEDING)
)
SELECT coalesce(sum(length_ns), 0) FROM instants WHERE communication > 0 AND other = 0`;

/** Finds collectives that nothing hides. */
export const exposedCommunication = defineRule({
  id: 'communication/exposed',
  looksFor: 'Time when a GPU runs communication kernels and nothing else.',
  silentBelow: `${silentShare} Also if small messages or a slow link cause half of it: other rules report those.`,
  facts: {
    exposed: ns(exposed),
    work: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${onMainDevice} AND ${isCommunication}`),
    ...collectiveCauses,
    calls: count(`SELECT count(*) FROM gpu_operations WHERE ${onMainDevice} AND ${isCommunication}`),
    start: text(
      `SELECT start_ns FROM gpu_operations WHERE ${onMainDevice} AND ${isCommunication} ORDER BY duration_ns DESC, start_ns LIMIT 1`,
    ),
  },
  conclude(number, text) {
    const severity = severityOf(number('exposed'), number('span'));
    if (!severity) return null;
    // Small messages and a slow link are separate findings.
    if (2 * Math.max(number('smallExposed'), number('slowExposed')) >= number('exposed')) return null;
    const share = formatPercent(number('exposed'), number('span'));
    return {
      severity,
      title: say(
        'Communication is not hidden behind computation: {0} of the GPU’s time, {1}, is only communication.',
        share,
        formatDuration(number('exposed')),
      ),
      evidence: [
        ['exposed', say('Only communication runs')],
        ['work', say('Total time of communication kernels')],
        ['calls', say('Communication kernels')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: number('exposed'),
      advice: say(
        'A collective’s kernel also waits for the slowest rank, so look at the ranks’ timelines together first. Then overlap the gradients’ communication with the backward pass (DistributedDataParallel with a larger bucket_cap_mb, gradient_as_bucket_view=True; FSDP with prefetch), start collectives with async_op=True, and communicate in bf16.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/notes/ddp.html',
      startNs: text('start'),
    };
  },
});
