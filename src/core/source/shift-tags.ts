import type {SourceTag} from './source-tag.js';

/** A piece of a text that was replaced; lines count from 1, offsets are UTF-16 units, both as before the change. */
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
 * The tags of a text after an edit, as far as the edit alone tells: those behind it have moved, blocks around it have
 * grown or shrunk, and calls that it replaced are gone. What was typed may open others, which only reading the text
 * again can tell.
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

/** The last line of a block once what the edit removes is gone. */
function lastKept(endLine: number, {startLine, startColumn, endLine: removedTo, insertedLength}: TextEdit): number {
  if (endLine >= removedTo) return endLine - (removedTo - startLine);
  // What removes whole lines leaves nothing of the line that it begins on.
  return startColumn === 0 && insertedLength === 0 ? startLine - 1 : startLine;
}
