import * as vscode from 'vscode';
import type {ShownRanks} from '../../core/job/line-ranks.js';
import {lineTimingTooltip, type LineStyle} from '../../core/text/line-timing.js';
import {commandIds} from '../base/command-ids.js';
import {readSettings} from '../base/settings.js';
import {annotationText} from './annotation-text.js';
import type {WhatIfRow} from '../commands/show-what-if.js';
import type {Annotations, LineAnnotation} from './annotations.js';
import type {FilesWithoutFigures, WithoutFigures} from './file-without-figures.js';
import type {UntaggedLine, UntaggedLines} from './untagged-lines.js';
import {whatIfOfTag, whatIfOfUntagged} from './what-if-line.js';

/** Shows the active profile's time above each line that opens a tagged range, or has figures for another reason. */
export class RangeCodeLenses implements vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(
    private readonly annotations: Annotations,
    private readonly untagged: Pick<UntaggedLines, 'of'>,
    private readonly without: Pick<FilesWithoutFigures, 'of'>,
  ) {
    // VS Code asks again after edits, but not after other changes.
    this.onDidChangeCodeLenses = (listener, self, disposables) =>
      annotations.onDidChange(() => void listener.call(self), undefined, disposables);
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const {codeLensEnabled, lineStyle, lineRanks} = readSettings(document.uri);
    if (!codeLensEnabled) return [];
    const lines = await this.annotations.of(document);
    const ofTags = lines.flatMap(line =>
      commandsOf(line, lineStyle, lineRanks).map(command => lensAt(line.tag.line, command)),
    );
    const untagged = (await this.untagged.of(document)).flatMap(line =>
      untaggedCommands(line).map(command => lensAt(line.line, command)),
    );
    const all = [...ofTags, ...untagged];
    const empty = all.length === 0 ? this.without.of(document) : null;
    return empty === null ? all : emptyCommands(empty, document.uri).map(command => lensAt(1, command));
  }
}

function emptyCommands({text, tooltip, hasForward}: WithoutFigures, uri: vscode.Uri): vscode.Command[] {
  return [
    {title: text, tooltip, command: ''},
    ...(hasForward
      ? [{title: vscode.l10n.t('Tag every forward'), command: commandIds.tagEveryForward, arguments: [uri]}]
      : []),
    {title: vscode.l10n.t('Record stacks and run again'), command: commandIds.recordStacksAgain},
  ];
}

/** @param line from 1 */
function lensAt(line: number, command: vscode.Command): vscode.CodeLens {
  const position = new vscode.Position(line - 1, 0);
  return new vscode.CodeLens(new vscode.Range(position, position), command);
}

/** Returns the same commands as for tags, except comparisons, which need tag names. */
function untaggedCommands({text, about, shows, timing}: UntaggedLine): vscode.Command[] {
  const command = commandIds.showUntagged;
  return [
    {title: text, tooltip: about, command, arguments: [...shows, 'timeline']},
    {title: '$(flame)', tooltip: vscode.l10n.t('Flame graph of this line'), command, arguments: [...shows, 'flame']},
    ...(timing.isGpuProfile
      ? [{title: '$(table)', tooltip: vscode.l10n.t('Kernels of this line'), command, arguments: [...shows, 'kernels']}]
      : []),
    whatIf(whatIfOfUntagged({shows})),
  ];
}

function commandsOf(line: LineAnnotation, style: LineStyle, shown: ShownRanks): vscode.Command[] {
  const {timing, patterns} = line;
  const title = annotationText(line, style, shown);
  const tooltip = line.compiled
    ? vscode.l10n.t(
        'torch.compile leaves tags out of what it compiles: the figures are of all that it made in this profile, with what it calls.',
      )
    : lineTimingTooltip(timing);
  // A lens without a command cannot be clicked.
  if (timing.nameCount === 0) return [{title, command: '', tooltip}];
  const names = timing.names.map(({name}) => name);
  return [
    {title, tooltip, command: commandIds.showRangeInTimeline, arguments: [patterns]},
    ...(line.isStale ? [{title: vscode.l10n.t('Profile again'), command: commandIds.profileAgain}] : []),
    {
      title: '$(flame)',
      tooltip: vscode.l10n.t('Flame graph of this range'),
      command: commandIds.showRangeFlame,
      arguments: [names],
    },
    ...(timing.isGpuProfile
      ? [
          {
            title: '$(table)',
            tooltip: vscode.l10n.t('Kernels of this range'),
            command: commandIds.showRangeKernels,
            arguments: [names],
          },
        ]
      : []),
    {
      title: '$(git-compare)',
      tooltip: vscode.l10n.t('Compare with last run'),
      command: commandIds.compareRuns,
      arguments: [patterns],
    },
    whatIf(whatIfOfTag({timing})),
  ];
}

function whatIf(row: WhatIfRow): vscode.Command {
  return {
    title: '$(beaker)',
    tooltip: vscode.l10n.t('What if this line were different?'),
    command: commandIds.showWhatIf,
    arguments: [row],
  };
}
