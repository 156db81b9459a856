import {mkdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {isFolder} from '../../importers/files/is-folder.js';
import {jobFiles, type JobPath} from '../../importers/files/job-files.js';
import {isZip} from '../../importers/files/unzip.js';
import {summaryBytes} from '../../parquet/write-summary.js';
import {UsageError, type Command, type CommandContext} from '../command.js';
import {limitOfUnpacking} from '../load-trace.js';
import {writeOutput} from '../output-file.js';
import {refuseInputAsOutput} from '../refuse-input-as-output.js';
import {ranksOfProfile} from '../ranks-of-file.js';
import {untilStopped} from '../until-stopped.js';

/** `gpu-lens summarize FILE -o OUT.parquet`: writes the data that a job needs of one rank, or of each of several. */
export const summarizeCommand: Command = {
  name: 'summarize',
  brief: 'Small summaries of ranks, which job reads like profiles',
  readsProfiles: true,
  usage: 'summarize FILE -o OUT.parquet | summarize PATH…|FOLDER|ZIP -o FOLDER',
  summary:
    'one rank’s summary as Parquet: its ranges, steps, collectives and kernels; job takes summaries as well as profiles',
  options: {output: {type: 'string', short: 'o'}},
  formats: [],
  async run(context, paths, options) {
    const {output} = options;
    if (paths.length === 0) throw new UsageError('summarize needs a profile.');
    if (typeof output !== 'string' || output === '') throw new UsageError('summarize needs -o and the file to write.');
    await untilStopped(async signal => {
      const [only, ...others] = paths;
      const isOne =
        others.length === 0 && !(await isFolder(only ?? '')) && !(await isFolder(output)) && !(await isZip(only ?? ''));
      if (isOne && only !== undefined) await summarize(only, output);
      else await summarizeAll(context, jobFiles(paths, limitOfUnpacking(), signal), output, paths);
    });
  },
};

async function summarize(path: string, output: string, inputs: readonly string[] = [path]): Promise<void> {
  await refuseInputAsOutput(output, inputs);
  await writeOutput(output, summaryBytes(await ranksOfProfile(path, 0)));
}

/** Reads one profile after the other, and keeps only the summaries. */
async function summarizeAll(
  context: CommandContext,
  files: AsyncIterable<JobPath>,
  folder: string,
  inputs: readonly string[],
): Promise<void> {
  if (folder.endsWith('.parquet'))
    throw new UsageError('Summaries of several profiles go to a folder: -o names a file.');
  await mkdir(folder, {recursive: true});
  const taken = new Set<string>();
  for await (const {path, isNamed, progress} of files) {
    if (!isNamed && path.endsWith('.parquet')) continue;
    context.tellProgress(`Profile ${progress}`);
    const name = summaryName(path, taken);
    try {
      await summarize(path, join(folder, name), [path, ...inputs]);
      taken.add(name);
    } catch (error) {
      // Folders may contain other files; a file that the user named must be a profile.
      const isForeign = error instanceof TraceError && /^(import|file)\//.test(error.code);
      if (isNamed || !isForeign || /cancelled|unwritable/.test(error.code)) throw error;
      context.tellNote(`${basename(path)} was left out: ${error.message}`);
    }
  }
  if (taken.size === 0) throw new TraceError('import/unknown-format', 'No profile was found.');
}

/** Returns the profile's name with `.parquet`. Equal names from several folders are numbered. */
function summaryName(path: string, taken: ReadonlySet<string>): string {
  const own = basename(path).replace(/(\.pt\.trace)?(\.json(\.gz|\.zst)?|\.sqlite|\.nsys-rep|\.qdrep)$/i, '');
  let name = `${own}.parquet`;
  for (let again = 2; taken.has(name); again++) name = `${own}-${String(again)}.parquet`;
  return name;
}
