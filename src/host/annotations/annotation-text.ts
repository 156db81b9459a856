import * as vscode from 'vscode';
import {counted} from '../../core/format/count.js';
import {lineRanksText, type ShownRanks} from '../../core/job/line-ranks.js';
import {deltaText, lineDifference} from '../../core/text/delta-text.js';
import {lineTimingText, type LineStyle} from '../../core/text/line-timing.js';
import type {LineAnnotation} from './annotations.js';

/**
 * Returns the text above a line or at its end, and the notes a reader needs.
 *
 * @param shown which figure over the ranks of a job is shown
 */
export function annotationText(line: LineAnnotation, style: LineStyle, shown: ShownRanks): string {
  const {timing, before, isStale, otherLines, compiled, ranks} = line;
  // The compiler drops tags inside the code it compiles.
  if (compiled) {
    const where =
      compiled.frames === 1
        ? vscode.l10n.t('inside compiled region')
        : vscode.l10n.t('inside {0} compiled regions', compiled.frames);
    return `${where} · ${lineTimingText(compiled.timing, style)}`;
  }
  const parts = [lineTimingText(timing, style, deltaText(lineDifference(timing, before)))];
  const ofRanks = ranks ? lineRanksText(ranks, shown) : '';
  if (ofRanks !== '') parts.push(ofRanks);
  if (isStale) parts.unshift(`$(history) ${vscode.l10n.t('before your edit')}`);
  if (otherLines > 0) parts.push(sharedText(otherLines));
  return parts.join(' · ');
}

/** Returns with how many other lines a line shares its figures. */
export function sharedText(otherLines: number): string {
  return counted(otherLines, 'shared with {0} other line', 'shared with {0} other lines');
}
