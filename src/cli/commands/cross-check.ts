import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {crossCheckRows, type CrossCheckRow} from '../../core/benchmark/cross-check-rows.js';
import {describeError, TraceError} from '../../core/base/errors.js';
import {formatCount} from '../../core/format/count.js';
import {gpuSummary} from '../../core/questions/info.js';
import {crossCheck} from '../../launch/cross-check.js';
import type {ProfileRequest} from '../../launch/command/profile-request.js';
import {createRunFolder} from '../../launch/run/run-folder.js';
import type {RunMessage} from '../../launch/run/run-messages.js';
import type {Command, CommandContext, OptionValues} from '../command.js';
import {crossCheckJson, crossCheckPage, programColumns, shownColumns} from '../cross-check-output.js';
import {loadTrace} from '../load-trace.js';
import {profileOptions, profileRequest} from '../profile-request.js';
import {formatRows} from '../report.js';
import {messenger, runSurroundings, tellFailure} from '../run-messenger.js';
import {untilStopped} from '../until-stopped.js';

/**
 * `gpu-lens cross-check -- COMMAND …`: the same steps with only a clock, under the PyTorch profiler, and under nsys.
 */
export const crossCheckCommand: Command = {
  name: 'cross-check',
  brief: 'A step measured three ways: by a clock, PyTorch and nsys',
  usage: `cross-check [--warmup STEPS] [--active STEPS] [--step auto|train|infer|range:NAME] [--whole] [--python PYTHON]
      [other options of profile] -- COMMAND …`,
  summary: `runs a script three times, with a clock alone, under the PyTorch profiler and under nsys, and sets what the
      same steps took side by side. Each run ends with its measured steps, but with --whole.`,
  options: {...profileOptions, whole: {type: 'boolean'}},
  async run(context, command, options) {
    const tell = messenger(context, options['messages']);
    try {
      await runCrossCheck(context, command, options, tell);
    } catch (error) {
      tellFailure(tell, describeError(error, 'launch/failed').message);
      throw error;
    }
  },
};

/** @throws UsageError; TraceError `launch/…` */
async function runCrossCheck(
  context: CommandContext,
  command: readonly string[],
  options: OptionValues,
  tell: (message: RunMessage) => void,
): Promise<void> {
  const asked = await profileRequest(crossCheckCommand.name, command, options);
  // Anything that nsys records outside the steps would count as their GPU work.
  const stop = options['whole'] !== true;
  const request = {...asked, capture: 'steps', recording: {...asked.recording, stop}};
  const {rows, isCancelled} = await untilStopped(async (signal, abandon) => {
    const surroundings = {
      ...runSurroundings(
        options,
        {signal, abandon},
        tell,
        typeof options['messages'] === 'string' ? 'inherit' : 'stderr',
      ),
      onNoStep: (seconds: number) => {
        context.tell(`gpu-lens: No step was found for ${formatCount(seconds)} s; --step says what a step is.`);
      },
    };
    const runs = await crossCheck(request, surroundings, gpuWorkNs);
    return {rows: crossCheckRows(runs), isCancelled: signal.aborted};
  });
  if (isCancelled) throw new TraceError('launch/failed', `The cross-check of ${request.name} was ended.`);
  const report = await writeReport(request, rows);
  context.write(
    context.format === 'json'
      ? crossCheckJson(rows)
      : formatRows(rows, context.format === 'csv' ? programColumns : shownColumns(rows), context.format),
  );
  context.tell(`gpu-lens: the cross-check is kept in ${report}.`);
  const isMeasured = rows.some(({steps}) => steps > 0);
  const sentences = isMeasured ? [] : [`No step of ${request.name} was measured: ${rows[0]?.reason ?? ''}`];
  tell({
    message: 'ended',
    result: {profiles: [], status: isMeasured ? 0 : 1, isCancelled, sentences, notes: [], tail: [], report},
  });
  if (!isMeasured) throw new TraceError('launch/failed', sentences.join(' '));
}

/** Durations of all GPU operations in a profile of measured steps; null where it has none. */
async function gpuWorkNs(path: string): Promise<number | null> {
  const trace = await loadTrace(path);
  return trace.gpuOperations.length === 0 ? null : gpuSummary(trace).workNs;
}

/** Returns the page's path. The files for programs are beside it. @throws the file system's error */
async function writeReport({output, name}: ProfileRequest, rows: readonly CrossCheckRow[]): Promise<string> {
  const {path} = await createRunFolder(output, name, new Date(), 'cross-checks');
  const page = join(path, 'cross-check.md');
  await writeFile(join(path, 'cross-check.json'), crossCheckJson(rows));
  await writeFile(join(path, 'cross-check.csv'), formatRows(rows, programColumns, 'csv'));
  await writeFile(page, crossCheckPage(name, rows, page));
  return page;
}
