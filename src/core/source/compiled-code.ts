/** Lines of a text, from 1, both ends included. */
export interface LineSpan {
  readonly line: number;
  readonly endLine: number;
}

/** Returns whether a line is in one of the spans. */
export function isInSpans(line: number, spans: readonly LineSpan[]): boolean {
  return spans.some(span => line >= span.line && line <= span.endLine);
}
