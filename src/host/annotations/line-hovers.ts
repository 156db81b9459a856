import {pushAll} from '../../core/table/extremes.js';
import {stat} from 'node:fs/promises';
import * as vscode from 'vscode';
import {scopeOfLines} from '../../core/text/line-fields.js';
import {lineRanksSpread} from '../../core/job/line-ranks.js';
import {lineHover} from '../../core/text/line-hover.js';
import {scopeText} from '../../core/text/line-timing.js';
import {commandLink, markdownText} from '../../core/format/markdown-text.js';
import {provenanceText} from '../../core/text/provenance.js';
import type {TimeWindow} from '../../core/base/time-window.js';
import type {EngineClient} from '../../engine/client.js';
import {commandIds} from '../base/command-ids.js';
import type {WhatIfRow} from '../commands/show-what-if.js';
import type {UntaggedTarget} from '../commands/show-untagged.js';
import type {Log} from '../base/log.js';
import type {ProfileScopes} from '../profiles/profile-scopes.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {readSettings} from '../base/settings.js';
import type {Annotations, LineAnnotation} from './annotations.js';
import type {UntaggedLine, UntaggedLines} from './untagged-lines.js';
import {whatIfOfTag, whatIfOfUntagged} from './what-if-line.js';

/** The commands that links in hovers may run. */
const linked = [
  commandIds.showRangeInTimeline,
  commandIds.showRangeFlame,
  commandIds.showRangeKernels,
  commandIds.compareRuns,
  commandIds.profileAgain,
  commandIds.clearScope,
  commandIds.showUntagged,
  commandIds.showWhatIf,
];

/** Shows the active profile's figures for a line's ranges when the mouse hovers over the line. */
export class LineHovers implements vscode.HoverProvider {
  constructor(
    private readonly annotations: Annotations,
    private readonly untagged: Pick<UntaggedLines, 'of'>,
    private readonly store: ProfileStore,
    private readonly scopes: Pick<ProfileScopes, 'of'>,
    private readonly engine: EngineClient,
    private readonly log: Log,
  ) {}

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | null> {
    const profile = this.store.activeOpen;
    if (!profile) return null;
    const lines = (await this.annotations.of(document)).filter(
      ({tag, timing}) => tag.line === position.line + 1 && timing.nameCount > 0,
    );
    const untagged = (await this.untagged.of(document)).filter(({line}) => line === position.line + 1);
    if (lines.length + untagged.length === 0) return null;
    try {
      const texts = await Promise.all(lines.map(line => this.#text(profile, document, line)));
      pushAll(texts, untagged.map(untaggedText));
      const origin = markdownText(provenanceText(await provenanceOf(profile)));
      const markdown = new vscode.MarkdownString([...texts, origin].join('\n\n---\n\n'));
      markdown.isTrusted = {enabledCommands: linked};
      return new vscode.Hover(markdown, document.lineAt(position.line).range);
    } catch (error) {
      this.log.warn(`No hover for ${document.uri.path}: ${String(error)}`);
      return null;
    }
  }

  async #text(profile: OpenProfile, document: vscode.TextDocument, line: LineAnnotation): Promise<string> {
    const {patterns, timing, isStale} = line;
    const {per} = readSettings(document.uri).lineStyle;
    const scope = this.scopes.of(profile);
    const of = scopeOfLines(per, scope);
    const details = await this.engine.ask('lines/details', {profile: profile.state.summary.id, patterns, of});
    const names = timing.names.map(({name}) => name);
    const links = [
      `[${vscode.l10n.t('Timeline')}](${commandLink(commandIds.showRangeInTimeline, [patterns])})`,
      `[${vscode.l10n.t('Flame graph')}](${commandLink(commandIds.showRangeFlame, [names])})`,
      ...(timing.isGpuProfile
        ? [`[${vscode.l10n.t('Kernels')}](${commandLink(commandIds.showRangeKernels, [names])})`]
        : []),
      `[${vscode.l10n.t('Compare with last run')}](${commandLink(commandIds.compareRuns, [patterns])})`,
      whatIfLink(whatIfOfTag(line)),
      ...(scope ? [`[${vscode.l10n.t('Clear the scope')}](${commandLink(commandIds.clearScope, [])})`] : []),
      ...(isStale ? [`[${vscode.l10n.t('Profile again')}](${commandLink(commandIds.profileAgain, [])})`] : []),
    ];
    return [...notesOf(line, scope), lineHover(details, per, line.before), links.join(' · ')].join('\n\n');
  }
}

function untaggedText({text, about, shows, timing}: UntaggedLine): string {
  const link = (title: string, target: UntaggedTarget) =>
    `[${title}](${commandLink(commandIds.showUntagged, [...shows, target])})`;
  const links = [
    link(vscode.l10n.t('Timeline'), 'timeline'),
    link(vscode.l10n.t('Flame graph'), 'flame'),
    ...(timing.isGpuProfile ? [link(vscode.l10n.t('Kernels'), 'kernels')] : []),
    whatIfLink(whatIfOfUntagged({shows})),
  ];
  return [`**${markdownText(text)}**`, markdownText(about), links.join(' · ')].join('\n\n');
}

const whatIfLink = (row: WhatIfRow): string =>
  `[${vscode.l10n.t('What if…')}](${commandLink(commandIds.showWhatIf, [row])})`;

/** Returns the notes that a reader of the figures needs. */
function notesOf({isStale, comparedWith, otherLines, ranks}: LineAnnotation, scope: TimeWindow | null): string[] {
  const notes: string[] = [];
  if (scope)
    notes.push(`*${vscode.l10n.t('Figures are {0}, the window that is marked in the timeline.', scopeText(scope))}*`);
  if (isStale) {
    const note =
      comparedWith === 'git'
        ? vscode.l10n.t('This block is not as git has it of before the profile: the figures are of what ran before.')
        : vscode.l10n.t('This block has changed since the profile: the figures are of what ran before.');
    notes.push(`*${note}*`);
  }
  if (otherLines > 0)
    notes.push(`*${vscode.l10n.t('Other lines open ranges of the same name: the figures are of all of them.')}*`);
  if (ranks) notes.push(lineRanksSpread(ranks));
  return notes;
}

async function provenanceOf({name, path, state}: OpenProfile): Promise<Parameters<typeof provenanceText>[0]> {
  const writtenMs = await stat(path).then(
    ({mtimeMs}) => mtimeMs,
    () => NaN,
  );
  return {name, info: state.summary.info, sidecar: state.sidecar, writtenMs};
}
