import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {collectiveCauses, slowCalls} from './collective-sql.js';
import {count, defineRule, ns, percent, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

/** Finds collectives that use little of the link's bandwidth, even if no rank is late. */
export const slowLink = defineRule({
  id: 'communication/slow-link',
  looksFor:
    'Collectives of 1 MiB and more whose bus bandwidth, in the fastest call of each size, is below a quarter of the link’s one-way bandwidth in its data sheet.',
  silentBelow: `Below three calls of a size, or if the sizes or the GPU are not known. ${silentShare}`,
  facts: {
    time: ns(`${slowCalls} SELECT CAST(coalesce(sum(ns), 0) AS INTEGER) FROM slow`),
    gain: ns(`${slowCalls} SELECT CAST(coalesce(sum(gain_ns), 0) AS INTEGER) FROM slow`),
    calls: count(`${slowCalls} SELECT coalesce(sum(calls), 0) FROM slow`),
    bus: {sql: `${slowCalls} SELECT CAST(round(bus) AS INTEGER) FROM worst`, unit: 'bytes'},
    link: {sql: `${slowCalls} SELECT CAST(round(link) AS INTEGER) FROM worst`, unit: 'bytes'},
    share: percent(`${slowCalls} SELECT round(100 * bus / link, 1) FROM worst`),
    bytes: {sql: `${slowCalls} SELECT CAST(bytes AS INTEGER) FROM worst`, unit: 'bytes'},
    ranks: count(`${slowCalls} SELECT ranks FROM worst`),
    span: collectiveCauses.span,
    name: text(`${slowCalls} SELECT operation FROM worst`),
    start: text(`${slowCalls} SELECT start_ns FROM worst`),
  },
  conclude(number, text) {
    const severity = severityOf(number('time'), number('span'));
    if (!severity) return null;
    const name = String(text('name'));
    return {
      severity,
      title: say(
        '{0} uses {1} % of the link: {2} collectives take {3} even at their fastest, {4} of the GPU’s time.',
        name,
        String(number('share')),
        formatCount(number('calls')),
        formatDuration(number('time')),
        formatPercent(number('time'), number('span')),
      ),
      evidence: [
        ['time', say('Their time if each took as long as the fastest of its size')],
        ['calls', say('Slow collectives of 1 MiB and more')],
        ['bus', say('Bus bandwidth of {0} in a second, at its fastest', name)],
        ['link', say('One-way bandwidth of the link per second, from its data sheet')],
        ['share', say('Ratio of the two')],
        ['bytes', say('Size of one call')],
        ['ranks', say('Ranks of its group')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: number('gain'),
      advice: say(
        'Run with NCCL_DEBUG=INFO, which prints the transport and the algorithm (P2P over NVLink or PCIe, NET/IB or sockets; ring or tree). nvidia-smi topo -m shows the links. Compare with all_reduce_perf of nccl-tests at this size, and try NCCL_ALGO=Tree or larger messages.',
      ),
      link: 'https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html',
      startNs: text('start'),
    };
  },
});
