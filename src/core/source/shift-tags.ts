import type {SourceTag} from './source-tag.js';

/** An edit of a text. Lines count from 1, offsets are UTF-16 units, both before the change. */
export interface TextEdit {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly insertedLength: number;
  readonly insertedLines: number;
}

/**
 * Returns the tags of a text after an edit, as far as the edit determines them: tags after it move, blocks around it
 * grow or shrink, and calls that it replaced are removed. The inserted text may open further tags, which only parsing
 * the text again finds.
 */
export function shiftTags(tags: readonly SourceTag[], edit: TextEdit): SourceTag[] {
  const lines = edit.insertedLines - (edit.endLine - edit.startLine);
  const length = edit.insertedLength - (edit.endOffset - edit.startOffset);
  return tags.flatMap(tag => {
    const {offset, line, endLine} = tag;
    if (offset >= edit.endOffset) {
      return [{...tag, offset: offset + length, line: line + lines, endLine: endLine + lines}];
    }
    if (offset >= edit.startOffset) return [];
    if (edit.startLine > endLine) return [tag];
    return [{...tag, endLine: Math.max(line, lastKept(endLine, edit) + edit.insertedLines)}];
  });
}

/** Returns the last line of a block after the edit's removal. */
function lastKept(endLine: number, {startLine, startColumn, endLine: removedTo, insertedLength}: TextEdit): number {
  if (endLine >= removedTo) return endLine - (removedTo - startLine);
  // Removing whole lines leaves nothing of the first line.
  return startColumn === 0 && insertedLength === 0 ? startLine - 1 : startLine;
}
