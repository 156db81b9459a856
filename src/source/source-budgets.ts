import {looksLikeBudget} from '../core/compare/budget-text.js';
import {isExactName} from '../core/names/name-pattern.js';
import {fileContents} from './file-contents.js';

/** A budget in a comment of a source. */
export interface SourceBudget {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** The range that the line opens, if it has a single name: a budget without a name applies to it. */
  readonly ofLine?: string;
}

/** Returns the budgets in the comments of a source, `# gpu: attention <= 12 ms/step` or with `//`, in its order. */
export async function sourceBudgets(path: string, text: string): Promise<SourceBudget[]> {
  const found = text.includes('gpu:') ? commentsOf(text) : [];
  if (found.length === 0) return [];
  const names = await namesOfLines(path, text);
  return found.map(budget => {
    const ofLine = names.get(budget.line);
    return ofLine === undefined ? budget : {...budget, ofLine};
  });
}

function commentsOf(text: string): {text: string; line: number}[] {
  return text.split('\n').flatMap((line, at) => {
    const comment = /(?:#|\/\/)\s*gpu:\s*(.*?)\s*$/.exec(line)?.[1];
    return comment === undefined || !looksLikeBudget(comment) ? [] : [{text: comment, line: at + 1}];
  });
}

async function namesOfLines(path: string, text: string): Promise<ReadonlyMap<number, string>> {
  const {tags} = await fileContents(path, text);
  return new Map(
    tags.flatMap(({pattern, line}) => (pattern && isExactName(pattern) ? [[line, pattern[0] ?? ''] as const] : [])),
  );
}
