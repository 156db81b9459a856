import * as vscode from 'vscode';
import {lineTimingText, lineTimingTooltip, type LineStyle} from '../../core/format/line-timing.js';
import {commandIds} from '../command-ids.js';
import {readSettings} from '../settings.js';
import {annotationText} from './annotation-text.js';
import type {Annotations, LineAnnotation} from './annotations.js';
import {compiledCallText, compiledCallTooltip, type CompiledCalls} from './compiled-calls.js';
import {kernelLineText, type KernelLines} from './kernel-lines.js';
import type {SourceLineWorks} from './source-lines.js';

/** More names of kernels are not told. */
const mostKernels = 20;

/** The time of the active profile above each line that opens a tagged range. */
export class RangeCodeLenses implements vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(
    private readonly annotations: Annotations,
    private readonly sourceLines: SourceLineWorks,
    private readonly kernelLines: KernelLines,
    private readonly compiledCalls: CompiledCalls,
  ) {
    // After edits VS Code asks by itself again; of what else has changed it does not know.
    this.onDidChangeCodeLenses = (listener, self, disposables) =>
      annotations.onDidChange(() => void listener.call(self), undefined, disposables);
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const {codeLensEnabled, lineStyle} = readSettings(document.uri);
    if (!codeLensEnabled) return [];
    const lines = await this.annotations.of(document);
    const tagged = new Set(lines.map(({tag}) => tag.line));
    const calls = await this.compiledCalls.of(document);
    const told = new Set([...tagged, ...calls.map(({line}) => line)]);
    const untagged = (await this.sourceLines.of(document)).filter(({line}) => !told.has(line));
    const ofTags = lines.flatMap(line => commandsOf(line, lineStyle).map(command => lensAt(line.tag.line, command)));
    const ofStacks = untagged.map(({line, about, timing}) => {
      const tooltip = `GPU work launched inside ${about}, and in what it calls: from Python stacks. Backward: that of forward operators inside.`;
      return lensAt(line, {title: lineTimingText(timing, lineStyle), command: '', tooltip});
    });
    const ofKernels = (await this.kernelLines.of(document)).map(line => {
      const title = kernelLineText(line, lineTimingText(line.timing, lineStyle));
      const tooltip = `GPU work of kernels that torch.compile made of this line, with all that is fused in them: ${line.kernels.slice(0, mostKernels).join(', ')}`;
      return lensAt(line.line, {title, command: '', tooltip});
    });
    const ofCalls = calls.map(call => {
      const title = compiledCallText(call, lineStyle);
      return lensAt(call.line, {title, command: '', tooltip: compiledCallTooltip(call)});
    });
    return [...ofTags, ...ofCalls, ...ofStacks, ...ofKernels];
  }
}

/** @param line from 1 */
function lensAt(line: number, command: vscode.Command): vscode.CodeLens {
  const position = new vscode.Position(line - 1, 0);
  return new vscode.CodeLens(new vscode.Range(position, position), command);
}

function commandsOf(line: LineAnnotation, style: LineStyle): vscode.Command[] {
  const {timing, patterns} = line;
  const title = annotationText(line, style);
  const tooltip = line.compiled
    ? 'torch.compile leaves tags out of what it compiles: the figures are of all that it made in this profile, with what it calls.'
    : lineTimingTooltip(timing);
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
    {
      title: '$(git-compare)',
      tooltip: 'Compare with last run',
      command: commandIds.compareRuns,
      arguments: [patterns],
    },
  ];
}
