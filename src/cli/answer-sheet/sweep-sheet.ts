import {basename, dirname} from 'node:path';
import {sweepBars, sweepFacts, sweepTables} from '../../core/findings/answers/sweep-summary.js';
import {barsSvg} from '../../core/export/bars-svg.js';
import {shellText, type AnswerCommand} from '../../core/findings/answers/answer-commands.js';
import {readSweep, resultsFile, type KeptSweep} from '../../launch/benchmark/sweep-files.js';
import type {Sheet} from './sheet.js';

/** The kept sweep that a path names: its folder, or the file in it; null where it is something else. */
export async function sweepAt(path: string): Promise<KeptSweep | null> {
  return readSweep(basename(path) === resultsFile ? dirname(path) : path);
}

/** The answer sheet of a sweep: times with and without warm-up, passes, precision, memory. */
export function sweepSheet({folder, record}: KeptSweep): Sheet {
  const bars = sweepBars(record);
  const bench = (layout: string) => `gpu-lens bench ${shellText(folder)} --layout ${layout}`;
  const commands: AnswerCommand[] = [
    {
      number: 1,
      about: 'Every step of every point, in ns: means and deviations follow.',
      command: `gpu-lens bench ${shellText(folder)} --format json --details`,
    },
    {number: 2, about: 'Forward, backward and optimizer of each point.', command: bench('phases')},
    {number: 3, about: 'What differs between precisions, devices and compilers.', command: bench('comparison')},
    ...Array.from(record.profiles.values(), (path, at) => ({
      number: 4 + at,
      about: 'A profile of a point: kernels, passes and findings.',
      command: `gpu-lens report ${shellText(`${folder}/${path}`)} -o point.html`,
    })),
  ];
  return {
    summary: {
      title: `Report on the sweep ${record.name}`,
      facts: sweepFacts(record),
      tables: sweepTables(record),
      picture: bars.length > 0 ? {title: 'Mean of a step, with its 95 % interval', svg: barsSvg(bars)} : null,
    },
    commands,
    more: [],
    notes: record.badLines > 0 ? [`${String(record.badLines)} lines of the sweep could not be read.`] : [],
  };
}
