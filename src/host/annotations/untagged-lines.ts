import * as vscode from 'vscode';
import {lineTimingText} from '../../core/text/line-timing.js';
import type {LineTiming} from '../../core/lines/line-timings.js';
import type {UntaggedNames} from '../commands/show-untagged.js';
import {readSettings} from '../base/settings.js';
import type {Annotations} from './annotations.js';
import type {CallLines} from './call-lines.js';
import {compiledCallText, compiledCallTooltip, type CompiledCalls} from './compiled-calls.js';
import {kernelLineText, type KernelLine, type KernelLines} from './kernel-lines.js';
import type {SourceLineWorks} from './source-lines.js';

/** The most kernel names that are shown. */
const mostKernels = 20;

/** A line with figures of the active profile but no tag. */
export interface UntaggedLine {
  /** From 1. */
  readonly line: number;
  readonly timing: LineTiming;
  /** The text above the line, or at its end. */
  readonly text: string;
  /** What the figures describe. */
  readonly about: string;
  /** What launched the work, for commands that show it. */
  readonly shows: UntaggedNames;
}

/** Functions and modules of Python stacks, lines of compiled kernels, calls of compiled regions, and calls of torch. */
export class UntaggedLines {
  constructor(
    private readonly annotations: Pick<Annotations, 'of'>,
    private readonly sourceLines: Pick<SourceLineWorks, 'of'>,
    private readonly kernelLines: Pick<KernelLines, 'of'>,
    private readonly compiledCalls: Pick<CompiledCalls, 'of'>,
    private readonly callLines: Pick<CallLines, 'of'>,
  ) {}

  /**
   * Returns the untagged lines of a document. Work of Python stacks and calls is dropped if the line already has other
   * figures.
   */
  async of(document: vscode.TextDocument): Promise<readonly UntaggedLine[]> {
    const {lineStyle} = readSettings(document.uri);
    const calls = await this.compiledCalls.of(document);
    const told = new Set([
      ...(await this.annotations.of(document)).map(({tag}) => tag.line),
      ...calls.map(({line}) => line),
    ]);
    const ofCalls = (await this.callLines.of(document)).filter(({line}) => !told.has(line));
    const ofStacks = (await this.sourceLines.of(document)).filter(({line}) => !told.has(line));
    return [
      ...calls.map(call => ({
        line: call.line,
        timing: call.timing,
        text: compiledCallText(call, lineStyle),
        about: compiledCallTooltip(call),
        shows: [call.names, 'cpu_op'] as const,
      })),
      ...ofCalls.map(({line, name, timing, isPass}) => ({
        ...{line, timing, text: lineTimingText(timing, lineStyle)},
        about: isPass ? aboutCalls() : aboutAutomatic(),
        shows: [[name], 'cpu_op'] as const,
      })),
      ...ofStacks.map(({line, timing, about, names, kind}) => ({
        line,
        timing,
        text: lineTimingText(timing, lineStyle),
        about: vscode.l10n.t(
          'GPU work launched inside {0}, and in what it calls: from Python stacks. Backward: that of forward operators inside.',
          about,
        ),
        shows: [names, kind] as const,
      })),
      ...(await this.kernelLines.of(document)).map(kernels => ({
        line: kernels.line,
        timing: kernels.timing,
        text: kernelLineText(kernels, lineTimingText(kernels.timing, lineStyle)),
        about: aboutKernels(kernels),
        shows: [kernels.kernels, 'cpu_op'] as const,
      })),
    ];
  }
}

const aboutCalls = () =>
  vscode.l10n.t(
    'Calls of torch on this line, in the step that the line pass recorded, whose own overhead is in their CPU time. Backward: that of forward operators inside.',
  );

const aboutAutomatic = () =>
  vscode.l10n.t(
    'Time while this line of your own code ran, with all that it called, in the recorded steps. It has no tag: the recorder opened a range for it. Backward: GPU work of the backward pass of forward operators inside.',
  );

function aboutKernels({kernels}: KernelLine): string {
  const names = kernels.slice(0, mostKernels).join(', ');
  return vscode.l10n.t(
    'GPU work of kernels that torch.compile made of this line, with all that is fused in them: {0}',
    names,
  );
}
