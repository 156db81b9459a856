import type {Proof} from '../core/prove/proof.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

interface ReasonRow {
  readonly code: string;
  readonly text: string;
}

const columns: readonly Column<ReasonRow>[] = [
  {key: 'code', title: 'Reason', value: ({code}) => code},
  {key: 'text', title: 'What was seen', value: ({text}) => text},
];

/** Returns a proof in an output format: the verdict, by how much the time changed, and the reasons. */
export function proofText(proof: Proof, format: OutputFormat): string {
  if (format === 'json') return `${JSON.stringify(proof, null, 2)}\n`;
  const rows = [{code: 'verdict', text: verdictText(proof)}, ...proof.reasons];
  return formatRows(rows, columns, format);
}

/** Returns the verdict with its figures, in words. */
function verdictText({verdict, deltaPercent, intervalPercent}: Proof): string {
  if (deltaPercent === null || intervalPercent === null) return verdict;
  const [low, high] = intervalPercent.map(percent => percent.toFixed(1));
  return `${verdict}: the time changed by ${deltaPercent.toFixed(1)} % (${low ?? ''} to ${high ?? ''} %)`;
}
