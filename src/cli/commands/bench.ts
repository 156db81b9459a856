import {readFile} from 'node:fs/promises';
import {basename, extname, join, resolve} from 'node:path';
import {badConfig} from '../../core/benchmark/config-fields.js';
import {parseSweepConfig} from '../../core/benchmark/parse-config.js';
import {pointText} from '../../core/benchmark/point-text.js';
import {TraceError} from '../../core/base/errors.js';
import type {SweepRecord} from '../../core/benchmark/sweep-record.js';
import {precisionMaps} from '../../launch/benchmark/precision-maps.js';
import {runSweep, type SweepRequest} from '../../launch/benchmark/run-sweep.js';
import {readSweep} from '../../launch/benchmark/sweep-files.js';
import {outerEnvironment} from '../../launch/programs/outer-environment.js';
import {findPython} from '../../launch/python/python-interpreter.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import {precisionText} from '../precision-output.js';
import {SweepOutput, sweepLayouts, type SweepLayout} from '../sweep-output.js';
import {SweepProgress} from '../sweep-progress.js';
import {oneOf, textOption, UsageError, type Command, type CommandContext} from '../command.js';
import {readTextBenchmarks, writeTextBenchmarks} from '../text-benchmarks.js';
import {untilStopped} from '../until-stopped.js';

/** `gpu-lens bench CONFIG.json`: measures a sweep; a point that fails is a row, and not the end. */
export const benchCommand: Command = {
  name: 'bench',
  brief: 'Measures a sweep of sizes and precisions',
  usage: `bench CONFIG.json|SWEEP|TEXT [--layout ${sweepLayouts.join('|')}] [--details] [--fresh] [--precision-map] [--python PYTHON] [--output FOLDER]`,
  summary: `measures a sweep (docs/benchmarks.md), and goes on with one that was cut off, but with --fresh.
      Results are kept in FOLDER (${usualOutputFolder}); --details adds rates, memory, parameters and environment to JSON.
      SWEEP is the folder of a sweep that was kept: its results are written, and nothing is measured.
      Nor is it for TEXT, in which somebody kept tables of benchmarks: it writes their comparisons.
      With --precision-map one step of each point tells its data types instead: of modules and ranges, with the casts.`,
  options: {
    layout: {type: 'string'},
    details: {type: 'boolean'},
    fresh: {type: 'boolean'},
    'precision-map': {type: 'boolean'},
    python: {type: 'string'},
    output: {type: 'string', short: 'o'},
  },
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('bench needs one file with a sweep.');
    const layout = oneOf('layout', options['layout'], sweepLayouts, 'auto');
    const isDetailed = options['details'] === true;
    const kept = await readSweep(file);
    if (kept) {
      const {warmupSteps} = parseSweepConfig(kept.record.config, kept.record.name);
      writeSweep(context, kept.record, warmupSteps, {layout, isDetailed});
      return;
    }
    const given = await readConfig(file);
    if (given === undefined) {
      writeTextBenchmarks(context, await readTextBenchmarks(file), layout);
      return;
    }
    const config = parseSweepConfig(given, basename(file, extname(file)));
    const cwd = process.cwd();
    const setting = textOption(options['python']) ?? config.python;
    const settingName = options['python'] === undefined ? '"python" of the sweep' : '--python';
    const {path: python} = await findPython({selected: null, setting, settingName, workspaceFolders: [cwd]});
    const progress = new SweepProgress(context);
    await untilStopped(async signal => {
      const program = join(__dirname, '..', 'src', 'runner', 'bench.py');
      const output = resolve(textOption(options['output']) ?? usualOutputFolder);
      const earlier: SweepRequest['earlier'] = options['fresh'] === true ? 'none' : 'latest';
      const env = outerEnvironment(process.env);
      const surroundings = {config, cwd, env, python, program, signal, onOutput: progress.output};
      if (options['precision-map'] === true) {
        await writePrecisionMaps(context, surroundings, output, progress);
        return;
      }
      const {record, folder} = await runSweep({...surroundings, given, output, earlier}, progress);
      writeSweep(context, record, config.warmupSteps, {layout, isDetailed});
      context.tell(`gpu-lens: the results are kept in ${folder}.`);
      if (signal.aborted && !record.isEnded) {
        throw new TraceError('bench/cancelled', 'The sweep was ended; the same command goes on with it.');
      }
    });
  },
};

const whatToName =
  'name the configuration of a sweep (docs/benchmarks.md), the folder of one that was kept, or a text with tables.';

function writeSweep(
  context: CommandContext,
  record: SweepRecord,
  warmupSteps: number,
  {layout, isDetailed}: {readonly layout: SweepLayout; readonly isDetailed: boolean},
): void {
  const written = new SweepOutput(record, warmupSteps, isDetailed);
  context.write(written.text(context.format, layout));
  for (const note of written.notes(context.format, layout)) context.tell(`gpu-lens: ${note}`);
}

/** The data types of one step of each point; those that have none say why. */
async function writePrecisionMaps(
  context: CommandContext,
  surroundings: Parameters<typeof precisionMaps>[0],
  output: string,
  {onPoint}: SweepProgress,
): Promise<void> {
  const maps = await precisionMaps(surroundings, output, onPoint);
  context.write(precisionText(maps, context.format));
  for (const {point, error} of maps) if (error !== null) context.tell(`gpu-lens: ${pointText(point)}: ${error}`);
  if (surroundings.signal.aborted) throw new TraceError('bench/cancelled', 'The precision maps were ended.');
  if (maps.every(({error}) => error !== null))
    throw new TraceError('bench/no-results', 'No point has a precision map.');
}

/**
 * Returns the configuration in a file; undefined for a text, which is no JSON and is not called so.
 *
 * @throws TraceError `file/missing`, `file/unreadable`, `bench/bad-config`
 */
async function readConfig(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const reason = isMissing ? `does not exist: ${whatToName}` : 'cannot be read.';
    throw new TraceError(isMissing ? 'file/missing' : 'file/unreadable', `${file} ${reason}`, {cause: error});
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (extname(file) !== '.json') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw badConfig(`${file} is no JSON: ${reason}.`);
  }
}
