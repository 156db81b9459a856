import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {collectiveCauses, smallCalls} from './collective-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

const leastCalls = 100;

/** Finds communication in many small messages, each of which pays the latency. */
export const smallMessages = defineRule({
  id: 'communication/small-messages',
  looksFor: 'Many collectives of less than 1 MiB that no other work hides.',
  silentBelow: `Below 100 such calls. ${silentShare}`,
  facts: {
    exposed: collectiveCauses.smallExposed,
    span: collectiveCauses.span,
    calls: count(`${smallCalls} SELECT count(*) FROM small`),
    bytes: {sql: `${smallCalls} SELECT CAST(coalesce(sum(bytes), 0) AS INTEGER) FROM small`, unit: 'bytes'},
    mean: ns(`${smallCalls} SELECT CAST(coalesce(avg(busy_ns), 0) AS INTEGER) FROM small`),
    name: text(`${smallCalls} SELECT operation FROM small GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`),
    start: text(`${smallCalls} SELECT min(start_ns) FROM small`),
  },
  conclude(number, text) {
    const severity = severityOf(number('exposed'), number('span'));
    if (!severity || number('calls') < leastCalls) return null;
    return {
      severity,
      title: say(
        'Communication is cut into small pieces: {0} collectives of less than 1 MiB, most of them {1}, stall the GPU for {2}, {3} of its time.',
        formatCount(number('calls')),
        String(text('name')),
        formatDuration(number('exposed')),
        formatPercent(number('exposed'), number('span')),
      ),
      evidence: [
        ['exposed', say('They run while nothing is computed')],
        ['calls', say('Collectives of less than 1 MiB')],
        ['bytes', say('Bytes they move in total')],
        ['mean', say('Average time of one')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: number('exposed'),
      advice: say(
        'Put small tensors into one: DistributedDataParallel(model, bucket_cap_mb=100), larger FSDP units, torch.distributed.all_reduce_coalesced or one all_reduce of torch.cat(…), and reduce losses across ranks only every hundred steps.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/notes/ddp.html#internal-design',
      startNs: text('start'),
    };
  },
});
