import {say, template} from '../../base/say.js';
import {idleRule} from './idle-rule.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {compiledRegions} from './idle-sql.js';
import {frameFile, frameLine} from './place-sql.js';
import {count, text} from './rule.js';

const regions = (condition: string) => `WITH ${compiledRegions} SELECT count(*) FROM regions WHERE ${condition}`;
const isResumed = "kind = 'python_function' AND name LIKE '%torch\\_dynamo\\_resume\\_in%' ESCAPE '\\'";

/**
 * Finds graph breaks: torch.compile stopped in the middle of a function, so its region runs Python and continues with
 * another region inside it.
 *
 * @see torch/_dynamo: code after a graph break is compiled as a separate function, which the first one calls
 */
export const graphBreaks = idleRule({
  cause: 'break',
  id: 'idle/graph-breaks',
  looksFor:
    'GPU gaps before operations that are launched late inside a torch.compile region that contains another region: a graph break.',
  idleSays: template('The GPU is idle in compiled regions with a graph break'),
  facts: {
    broken: count(regions('is_broken')),
    regions: count(regions('1')),
    file: text(frameFile(isResumed)),
    line: text(frameLine(isResumed)),
  },
  conclude(number, text) {
    const share = formatPercent(number('idle'), number('span'));
    return {
      title: say(
        'Graph breaks cut {0}: the GPU is idle there for {1} of its time, {2}.',
        counted(number('broken'), '{0} compiled region', '{0} compiled regions'),
        share,
        formatDuration(number('idle')),
      ),
      evidence: [
        ['broken', say('Compiled regions that contain another')],
        ['regions', say('Compiled regions')],
      ],
      advice: say(
        'Run once with TORCH_LOGS="graph_breaks", which prints the line and the reason of each break. Take .item(), print() and data-dependent conditions out of the compiled function (torch.where, torch.cond), and keep it whole with torch.compile(model, fullgraph=True).',
      ),
      link: 'https://docs.pytorch.org/docs/stable/torch.compiler_faq.html#graph-breaks',
      file: text('file'),
      line: text('line'),
    };
  },
});
