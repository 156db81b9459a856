import * as vscode from 'vscode';
import {lineTimingTooltip, type LineStyle} from '../../core/format/line-timing.js';
import {commandIds} from '../command-ids.js';
import {readSettings} from '../settings.js';
import {annotationText} from './annotation-text.js';
import type {Annotations, LineAnnotation} from './annotations.js';

/** The time of the active profile above each line that opens a tagged range. */
export class RangeCodeLenses implements vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(private readonly annotations: Annotations) {
    // After edits VS Code asks by itself again; of what else has changed it does not know.
    this.onDidChangeCodeLenses = (listener, self, disposables) =>
      annotations.onDidChange(() => void listener.call(self), undefined, disposables);
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const {codeLensEnabled, lineStyle} = readSettings(document.uri);
    if (!codeLensEnabled) return [];
    const lines = await this.annotations.of(document);
    return lines.flatMap(line => {
      const position = new vscode.Position(line.tag.line - 1, 0);
      const range = new vscode.Range(position, position);
      return commandsOf(line, lineStyle).map(command => new vscode.CodeLens(range, command));
    });
  }
}

function commandsOf(line: LineAnnotation, style: LineStyle): vscode.Command[] {
  const {timing, patterns} = line;
  const title = annotationText(line, style);
  const tooltip = lineTimingTooltip(timing);
  // A lens without a command is text that cannot be clicked.
  if (timing.nameCount === 0) return [{title, command: '', tooltip}];
  const names = timing.names.map(({name}) => name);
  return [
    {title, tooltip, command: commandIds.showRangeInTimeline, arguments: [patterns]},
    ...(line.isStale ? [{title: 'Profile again', command: commandIds.profileAgain}] : []),
    {title: '$(flame)', tooltip: 'Flame graph of this range', command: commandIds.showRangeFlame, arguments: [names]},
    ...(timing.isGpuProfile
      ? [
          {
            title: '$(table)',
            tooltip: 'Kernels of this range',
            command: commandIds.showRangeKernels,
            arguments: [names],
          },
        ]
      : []),
  ];
}
