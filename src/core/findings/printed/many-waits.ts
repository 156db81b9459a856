import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {count, ns, percent, text} from '../rules/rule.js';
import {rowsOf, type PrintedTable} from './printed-tables.js';
import {tableRule} from './table-rule.js';

const waits = "'aten::item', 'aten::_local_scalar_dense', 'aten::nonzero', 'aten::is_nonzero', 'aten::equal'";

const waitRows = (table: PrintedTable): string =>
  `WITH operators AS (${rowsOf(table, {n: '# of Calls', cpu: 'CPU total', share: 'CPU total %'})}), worst AS (SELECT * FROM operators WHERE name IN (${waits}) AND n >= 100 AND share >= 3 ORDER BY cpu DESC, "row" LIMIT 1)`;

/** Finds synchronisation, according to operators. */
export const manyWaits = tableRule({
  id: 'printed/many-waits',
  looksFor:
    'Operators in a printed key_averages that copy a value to the CPU and wait for it: item, _local_scalar_dense, nonzero, is_nonzero.',
  silentBelow: 'Below 100 calls or 3 % of the CPU’s time. From 10 %: medium; from 25 %: high.',
  reports: ['key_averages'],
  needsColumn: 'CPU total %',
  factsOf(table) {
    const tables = waitRows(table);
    return {
      calls: count(`${tables} SELECT n FROM worst`),
      cpu: ns(`${tables} SELECT cpu FROM worst`),
      share: percent(`${tables} SELECT share FROM worst`),
      name: text(`${tables} SELECT name FROM worst`),
    };
  },
  weight: table => table.number('cpu'),
  conclude(worst) {
    const [name, share] = [String(worst.text('name')), worst.number('share')];
    const isWorthMore = share >= 25 ? 'high' : 'medium';
    return {
      severity: share >= 10 ? isWorthMore : 'low',
      title: say(
        'The CPU waits for single values: {0} calls of {1} take {2}, {3} % of its time.',
        formatCount(worst.number('calls')),
        name,
        formatDuration(worst.number('cpu')),
        String(share),
      ),
      evidence: [
        worst.says('calls', say('calls of {0}', name)),
        worst.says('cpu', say('their CPU time, including what they call')),
        worst.says('share', say('its share of the CPU’s time')),
      ],
      gainAtMostNs: worst.number('cpu'),
      advice: say(
        'Each .item(), float(tensor), if tensor: or print of a tensor waits until the GPU has finished all its work. Keep values on the GPU, and copy them together once: losses.append(loss.detach()), later torch.stack(losses).cpu().',
      ),
      link: 'https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html#avoid-unnecessary-cpu-gpu-synchronization',
    };
  },
});
