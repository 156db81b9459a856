import {say} from '../base/say.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {markdownTable} from '../format/markdown-table.js';
import {markdownText} from '../format/markdown-text.js';
import {counted} from '../format/count.js';
import {pathKindText} from './replay/path-rows.js';
import type {SystemPrediction, UsualChange} from './usual-changes.js';
import type {WhatIfAnswer} from './what-if.js';

/** The contents of a "What If…" page for a profile. */
export interface WhatIfPage {
  readonly answer: WhatIfAnswer;
  readonly changes: readonly UsualChange[];
  /** The requested changes, which are shown first. */
  readonly asked: readonly UsualChange[];
  /** For a CPU recording: GPUs on which it could run. */
  readonly systems: readonly SystemPrediction[];
  /** For a CPU recording without predictions, the reason in a sentence; null for every other profile. */
  readonly noSystems: string | null;
}

/** The number of rows of the critical path on a page. */
const mostPathRows = 15;

/**
 * Returns the page of "What If…" as Markdown with a title.
 *
 * @param name the name of the profile
 * @param record a sentence about the accuracy of earlier predictions of its runs; null if there are none
 */
export function whatIfPage(
  {answer, changes, asked, systems, noSystems}: WhatIfPage,
  name: string,
  record: string | null = null,
): string {
  const {measuredNs, replayedNs, errorPercent, notes} = answer;
  const error = errorPercent === null ? '' : ` (${errorPercent < 0 ? '−' : '+'}${String(Math.abs(errorPercent))} %)`;
  const replay = replayedNs === null ? '' : ` ${say('The replay takes {0}.', `${formatDuration(replayedNs)}${error}`)}`;
  return [
    `# ${say('What if? {0}', markdownText(name))}\n\n`,
    `${say('Measured: {0}.', `**${formatDuration(measuredNs)}**`)}${replay} ${say('Everything below is predicted.')}\n\n`,
    ...(record === null ? [] : [`${markdownText(record)}\n\n`]),
    ...notes.map(({text}) => `${markdownText(text)}\n\n`),
    // The notes say why nothing can be replayed.
    ...(replayedNs === null ? [] : [askedSection(asked, measuredNs), changesSection(changes, measuredNs)]),
    systemsSection(systems, noSystems, measuredNs),
    pathSection(answer),
    `${say('Other changes, and several at once: {0}', '`gpu-lens whatif FILE --apply CHANGE…`')}\n`,
  ].join('');
}

function askedSection(asked: readonly UsualChange[], measuredNs: number): string {
  return changesSection(asked, measuredNs, [say('What you asked'), say('What you asked and cannot be predicted')]);
}

function changesSection(
  changes: readonly UsualChange[],
  measuredNs: number,
  [knownTitle, unknownTitle] = [say('Changes'), say('What cannot be predicted')],
): string {
  const known = changes
    .filter(({predictedNs}) => predictedNs !== null)
    .toSorted((a, b) => (a.predictedNs ?? 0) - (b.predictedNs ?? 0));
  const unknown = changes.filter(({predictedNs}) => predictedNs === null);
  const rows = known.map(({change, title, predictedNs, intervalNs, note}) => [
    markdownText(title),
    ...timeCells(predictedNs, intervalNs, measuredNs),
    changeCell(change),
    markdownText(note),
  ]);
  const titles = [say('What if…'), say('Step'), say('Change'), say('Interval'), '`--apply`', say('Basis')];
  const table = markdownTable(titles, [false, true, true, false, false, false], rows);
  const list = unknown.map(({title, note}) => `- ${say('{0}: {1}', markdownText(title), markdownText(note))}\n`);
  return [
    ...(known.length > 0 ? [`## ${knownTitle}\n\n${table}\n\n`] : []),
    ...(unknown.length > 0 ? [`## ${unknownTitle}\n\n${list.join('')}\n`] : []),
  ].join('');
}

/** Formats a change as code, unless a name in it contains characters that would end the code or the cell. */
function changeCell(change: string): string {
  return /^[\w=:.*/ -]+$/.test(change) ? `\`${change}\`` : markdownText(change);
}

function systemsSection(systems: readonly SystemPrediction[], noSystems: string | null, measuredNs: number): string {
  const title = `## ${say('On another GPU')}\n\n`;
  if (noSystems !== null) return `${title}${markdownText(noSystems)}\n\n`;
  if (systems.length === 0) return '';
  const rows = systems.map(({system, predictedNs, intervalNs, predictedGpuWorkNs}) => [
    system,
    ...timeCells(predictedNs, intervalNs, measuredNs),
    unbroken(`≈ ${formatDuration(predictedGpuWorkNs)}`),
  ]);
  const titles = [say('GPU'), say('Step'), say('Change'), say('Interval'), say('GPU work a step')];
  const table = markdownTable(titles, [false, true, true, false, true], rows);
  const isShared = (text: string) => systems.every(({notes}) => notes.includes(text));
  const shared = systems[0].notes.filter(isShared);
  const own = systems.flatMap(({system, notes}) =>
    notes.filter(text => !isShared(text)).map(text => say('{0}: {1}', system, text)),
  );
  return `${title}${table}\n\n${[...shared, ...own].map(text => `- ${markdownText(text)}\n`).join('')}\n`;
}

function pathSection({criticalPath}: WhatIfAnswer): string {
  if (criticalPath.length === 0) return '';
  const allNs = criticalPath.reduce((sum, {ns}) => sum + ns, 0);
  const rows = criticalPath
    .slice(0, mostPathRows)
    .map(({kind, name, ns, file, line}) => [
      pathKindText(kind),
      unbroken(formatDuration(ns)),
      unbroken(formatPercent(ns, allNs)),
      markdownText(name),
      file === null ? '' : markdownText(`${file}:${String(line)}`),
    ]);
  const table = markdownTable(
    [say('Kind'), say('Time'), say('Share'), say('Name'), say('Line')],
    [false, true, true, false, false],
    rows,
  );
  const hidden = criticalPath.length - mostPathRows;
  const rest = hidden > 0 ? `\n${counted(hidden, '{0} more row', '{0} more rows')}\n` : '';
  const about = say(
    'What the step waited for, from its end backwards. Making anything else faster does not shorten the step.',
  );
  return `## ${say('Critical path without changes')}\n\n${about}\n\n${table}\n${rest}\n`;
}

function timeCells(
  predictedNs: number | null,
  intervalNs: readonly [number, number] | null,
  measuredNs: number,
): [step: string, change: string, interval: string] {
  if (predictedNs === null || intervalNs === null) return ['', '', ''];
  const [low, high] = intervalNs;
  const sign = predictedNs < measuredNs ? '−' : '+';
  const percent = formatPercent(Math.abs(predictedNs - measuredNs), measuredNs);
  // A sign before "<0.01 %" would be read as part of the comparison.
  const change = predictedNs === measuredNs ? '0 %' : percent.startsWith('<') ? percent : sign + percent;
  return [
    unbroken(`≈ ${formatDuration(predictedNs)}`),
    unbroken(change),
    say('{0} to {1}', unbroken(formatDuration(low)), unbroken(formatDuration(high))),
  ];
}

/** Returns a figure that no line break parts from its unit: the columns of a preview are narrow. */
function unbroken(figure: string): string {
  return figure.replaceAll(' ', '\u00a0');
}
