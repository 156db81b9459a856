import {firstWhere} from '../../core/table/search.js';
import type {ParsedText} from '../parsed-text.js';
import {callAt, type Call} from './calls.js';

/**
 * Returns the first calls of a text, at most `most`, whose last word is one of `words`, in the text's order. Enters
 * only nodes that contain such a word, each once, however deeply calls are nested.
 */
export function callsNamed(
  {tree, text}: Pick<ParsedText, 'tree' | 'text'>,
  words: readonly string[],
  most: number,
): Call[] {
  const called = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?=\\s*\\()`, 'gu');
  const ends = Array.from(text.matchAll(called), match => match.index + match[0].length);
  const isEnd = new Set(ends);
  const calls: Call[] = [];
  tree.iterate({
    enter(ref) {
      const next = ends[firstWhere(0, ends.length, at => (ends[at] ?? 0) > ref.from)] ?? Infinity;
      if (next > ref.to || calls.length >= most) return false;
      const call = ref.name === 'CallExpression' ? callAt(ref.node) : null;
      if (call && isEnd.has(call.from + text.slice(call.from, call.to).trimEnd().length)) calls.push(call);
      return true;
    },
  });
  return calls.sort((a, b) => a.to - b.to);
}
