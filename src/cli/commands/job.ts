import {basename, dirname, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import type {JobRank} from '../../core/job/job-rank.js';
import {jobReport, jobSize, type JobNote} from '../../core/job/job-report.js';
import {pushAll} from '../../core/table/extremes.js';
import {oneOf, UsageError, type Command, type CommandContext} from '../command.js';
import {jobFiles} from '../job-files.js';
import {jobParts, jobText} from '../job-output.js';
import {ranksOfFile} from '../ranks-of-file.js';
import {untilStopped} from '../until-stopped.js';

/** `gpu-lens job PATH…`: what many ranks did as one job. */
export const jobCommand: Command = {
  name: 'job',
  usage: `job PATH…|FOLDER|ZIP [--by ${jobParts.join('|')}]`,
  summary: 'many ranks as one job: clocks aligned, waiting told from transfer, the slowest rank of each step and range',
  options: {by: {type: 'string'}},
  async run(context, paths, options) {
    if (paths.length === 0)
      throw new UsageError('job needs profiles or summaries of ranks, or a folder or a zip of them.');
    const part = options['by'] === undefined ? null : oneOf('by', options['by'], jobParts, 'rank');
    const {ranks, notes} = await untilStopped(signal => loadRanks(context, paths, signal));
    const report = jobReport(ranks);
    context.write(jobText({...report, notes: [...report.notes, ...notes]}, part, context.format));
    if (context.format === 'csv') for (const {text} of [...report.notes, ...notes]) context.tell(`Note: ${text}`);
  },
};

/** One profile after the other: of each only what the job needs is kept. */
async function loadRanks(
  context: CommandContext,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<{ranks: JobRank[]; notes: JobNote[]}> {
  const ranks: JobRank[] = [];
  const notes: JobNote[] = [];
  // A profile and its summary are one rank.
  const read = new Set<string>();
  for await (const {path, isNamed, progress} of jobFiles(paths, signal)) {
    context.tellProgress(`Profile ${progress}`);
    if (!isNamed && read.has(path)) {
      notes.push({code: 'job/left-out', text: `${basename(path)} was left out: its summary lies beside it.`});
      continue;
    }
    try {
      const found = await ranksOfFile(path, ranks.length);
      for (const {file} of found) read.add(join(dirname(path), file));
      pushAll(ranks, found);
    } catch (error) {
      // A folder may hold anything; what was named is meant.
      if (isNamed || !(error instanceof TraceError) || error.code === 'import/cancelled') throw error;
      notes.push({code: 'job/left-out', text: `${basename(path)} was left out: ${error.message}`});
    }
    // The other profiles need not be read to tell that these are not of one job.
    jobSize(ranks);
  }
  if (ranks.length > 0) return {ranks, notes};
  throw new TraceError(
    'import/unknown-format',
    `No profile was found in ${paths.map(path => basename(path)).join(', ')}.`,
  );
}
