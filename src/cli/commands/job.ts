import {jobReport} from '../../core/job/job-report.js';
import {readJobRanks} from '../../importers/job-ranks.js';
import {oneOf, UsageError, type Command} from '../command.js';
import {limitOfUnpacking} from '../load-trace.js';
import {jobParts, jobText} from '../job-output.js';
import {ranksOfFile} from '../ranks-of-file.js';
import {untilStopped} from '../until-stopped.js';

/** `gpu-lens job PATH…`: what many ranks did as one job. */
export const jobCommand: Command = {
  name: 'job',
  brief: 'Many ranks as one job: who waited for whom',
  usage: `job PATH…|FOLDER|ZIP [--by ${jobParts.join('|')}]`,
  summary: 'many ranks as one job: clocks aligned, waiting told from transfer, the slowest rank of each step and range',
  options: {by: {type: 'string'}},
  async run(context, paths, options) {
    if (paths.length === 0)
      throw new UsageError('job needs profiles or summaries of ranks, or a folder or a zip of them.');
    const part = options['by'] === undefined ? null : oneOf('by', options['by'], jobParts, 'rank');
    const {ranks, notes} = await untilStopped(signal =>
      readJobRanks(paths, {
        ...{signal, limit: limitOfUnpacking(), read: ranksOfFile},
        tell: progress => {
          context.tellProgress(`Profile ${progress}`);
        },
      }),
    );
    const report = jobReport(ranks);
    context.write(jobText({...report, notes: [...report.notes, ...notes]}, part, context.format));
    if (context.format === 'csv') for (const {text} of [...report.notes, ...notes]) context.tellNote(text);
  },
};
