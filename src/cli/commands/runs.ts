import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {noRun, RunIndex} from '../../launch/history/run-index.js';
import type {RunFacts} from '../../launch/history/run-facts.js';
import type {RunMark} from '../../launch/history/run-mark.js';
import {commitText, stepText, trendsOf} from '../../launch/history/run-trend.js';
import {goesOn} from '../../launch/history/running-run.js';
import {usualOutputFolder} from '../../launch/run/run-folder.js';
import {textOption, UsageError, type Command, type OptionValues} from '../command.js';
import {formatRows, type Column} from '../report.js';

/** `gpu-lens runs`: the recorded runs, the latest first. */
export const runsCommand: Command = {
  name: 'runs',
  brief: 'The runs that were recorded: label, pin, prune, delete',
  usage: `runs [--output FOLDER] [--prune MB] [RUN [--label TEXT] [--pin | --unpin] [--delete]]`,
  summary: `the runs that were recorded in FOLDER (${usualOutputFolder}), the latest first, with commit, GPU and step time.
      --prune deletes the oldest until all take MB; a pinned run stays. RUN is the name of a run's folder.`,
  options: {
    output: {type: 'string', short: 'o'},
    prune: {type: 'string'},
    label: {type: 'string'},
    pin: {type: 'boolean'},
    unpin: {type: 'boolean'},
    delete: {type: 'boolean'},
  },
  async run(context, [run, ...others], options) {
    if (others.length > 0) throw new UsageError('runs takes one run.');
    const change = changeOf(options);
    if (run === undefined && change !== null) throw new UsageError('Name the run.');
    const mostBytes = bytesOf(options['prune']);
    const output = resolve(textOption(options['output']) ?? usualOutputFolder);
    if (!existsSync(output)) {
      if (run !== undefined) throw noRun(run, output);
      context.write(runsText([], context.format));
      return;
    }
    const index = new RunIndex(output);
    try {
      if (run !== undefined) await applyTo(index, run, change);
      if (mostBytes !== null) for (const folder of await index.prune(mostBytes)) context.tell(`Deleted ${folder}`);
      const kept = await index.list();
      const shown = change === 'delete' ? kept : chosen(kept, run, output);
      const runs = await Promise.all(shown.map(async one => ({...one, isRunning: await goesOn(one)})));
      context.write(runsText(runs, context.format));
    } finally {
      index.close();
    }
  },
};

/** Returns all runs, or the one that is named. @throws TraceError `file/missing` */
function chosen(runs: readonly RunFacts[], run: string | undefined, output: string): readonly RunFacts[] {
  if (run === undefined) return runs;
  const found = runs.find(({folder}) => folder === run);
  if (!found) throw noRun(run, output);
  return [found];
}

async function applyTo(index: RunIndex, run: string, change: ReturnType<typeof changeOf>): Promise<void> {
  if (change === 'delete') await index.delete(run);
  else if (change !== null) await index.mark(run, change);
}

/** Returns the action on a run; null for none. */
function changeOf({label, pin, unpin, delete: isDeleted}: OptionValues): Partial<RunMark> | 'delete' | null {
  if (isDeleted === true) return 'delete';
  const isMarked = pin === true || unpin === true;
  if (typeof label !== 'string' && !isMarked) return null;
  return {...(typeof label === 'string' && {label: label || null}), ...(isMarked && {isPinned: pin === true})};
}

/** @throws UsageError */
function bytesOf(megabytes: OptionValues[string]): number | null {
  if (megabytes === undefined) return null;
  // Number('') is 0, which would delete every run.
  const isNumber = typeof megabytes === 'string' && /^(\d+\.?\d*|\.\d+)$/.test(megabytes);
  if (isNumber) return Number(megabytes) * 1e6;
  throw new UsageError(`--prune takes a number of MB, not "${String(megabytes)}".`);
}

/** A recorded run, and whether it is still running. */
type ListedRun = RunFacts & {readonly isRunning: boolean};

function runsText(runs: readonly ListedRun[], format: Parameters<typeof formatRows>[2]): string {
  return format === 'json' ? `${JSON.stringify(runs, null, 2)}\n` : formatRows(runs, columns(trendsOf(runs)), format);
}

const columns = (trends: ReadonlyMap<RunFacts, string>): readonly Column<ListedRun>[] => [
  {key: 'folder', title: 'Run', value: ({folder}) => folder},
  {
    key: 'label',
    title: 'Label',
    value: ({label, isPinned}) => [label, isPinned ? '(pinned)' : null].filter(Boolean).join(' '),
  },
  {key: 'status', title: 'Status', value: statusText},
  {
    ...{key: 'commit', title: 'Commit', value: ({commit}) => commit},
    text: commitText,
  },
  {key: 'device', title: 'Device', value: ({device}) => device},
  {key: 'torch', title: 'PyTorch', value: ({torch}) => torch},
  {
    ...{key: 'stepNs', title: 'Step', value: ({stepNs}) => stepNs},
    text: stepText,
  },
  {key: 'trend', title: 'Earlier steps', value: run => trends.get(run) ?? ''},
  {key: 'bytes', title: 'Size', value: ({bytes}) => bytes, text: ({bytes}) => `${(bytes / 1e6).toFixed(1)} MB`},
  {key: 'command', title: 'Command', value: ({command}) => command?.join(' ') ?? ''},
];

function statusText({isRunning, ended, status}: ListedRun): string {
  if (isRunning) return 'running';
  return ended === null ? 'unfinished' : String(status ?? '');
}
