import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Serving} from './answer.js';
import {answerOf} from './answer.js';
import {RefusedError} from './confined.js';
import {tools} from './tools.js';

const metrics = 'gpu-lens://metrics';
const notes = 'gpu-lens://notes';

/** What can be read without naming anything. */
export const resources = [
  {
    uri: metrics,
    name: 'metrics',
    title: 'What each figure means',
    description: 'The sections of the definitions of all figures, with their addresses',
    mimeType: 'text/markdown',
  },
] as const;

/** What can be read by name. */
export const resourceTemplates = [
  {
    uriTemplate: `${metrics}/{section}`,
    name: 'metric',
    title: 'What a figure means',
    description: 'One section of the definitions, such as gpu-busy, ranges or prove',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: `${notes}/{path}`,
    name: 'notes',
    title: 'Notes of a profile',
    description: 'What a profile lacks or what was not read; the path as a tool takes it, percent-encoded',
    mimeType: 'application/json',
  },
] as const;

/** The contents of one address. */
export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/**
 * Returns what an address names.
 *
 * @param home the extension's own folder, with docs/metrics.md
 * @throws RefusedError
 */
export async function readResource(
  uri: string,
  home: string,
  serving: Serving,
  signal: AbortSignal,
): Promise<ResourceText> {
  if (uri === metrics || uri.startsWith(`${metrics}/`)) {
    const sections = sectionsOf(await readFile(join(home, 'docs', 'metrics.md'), 'utf8'));
    const name = uri.slice(metrics.length + 1);
    const text = name === '' ? contents(sections) : sections.get(name)?.join('\n');
    if (text === undefined) throw new RefusedError(`There is no such section: ${metrics} lists all.`);
    return {uri, mimeType: 'text/markdown', text};
  }
  const open = tools.find(({name}) => name === 'open');
  if (!open || !uri.startsWith(`${notes}/`)) throw new RefusedError('There is no such resource.');
  const answer = await answerOf(open, {file: decoded(uri.slice(notes.length + 1))}, serving, signal);
  return {uri, mimeType: 'application/json', text: notesOf(answer)};
}

/** What is read of an answer of the tool `open`. */
interface OpenAnswer extends Readonly<Partial<Record<'total' | 'offset' | 'nextOffset' | 'inEveryRow', unknown>>> {
  readonly untrusted: string;
  readonly cut?: string;
  /** The list whose rows are counted. */
  readonly pageOf?: string;
  readonly data: {readonly notes?: unknown};
}

/** Returns the notes alone, with what the answer says of those that it leaves out. */
function notesOf(answer: string): string {
  const {untrusted, cut, pageOf, total, offset, nextOffset, inEveryRow, data} = JSON.parse(answer) as OpenAnswer;
  const page = pageOf === 'notes' ? {total, offset, nextOffset, inEveryRow} : {};
  return JSON.stringify({untrusted, cut, ...page, data: {notes: data.notes ?? []}});
}

/** Name of a section → its lines, its heading first. */
function sectionsOf(markdown: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of markdown.split('\n')) {
    const [, name, title] = /^##+ <a id="([^"]+)"><\/a>(.*)$/.exec(line) ?? [];
    if (name === undefined || title === undefined) {
      lines.push(line);
      continue;
    }
    lines = [`# ${title}`];
    sections.set(name, lines);
  }
  return sections;
}

function contents(sections: ReadonlyMap<string, readonly string[]>): string {
  return [...sections].map(([name, [title = '']]) => `- ${metrics}/${name}: ${title.slice(2)}`).join('\n');
}

/** @throws RefusedError */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RefusedError('The path is not percent-encoded.');
  }
}
