import type {FrameLine, ModuleClass, SourceLines, SourceWork} from '../queries/source-lines.js';
import {simpleClassName, type ModuleForward} from './module-forward.js';
import {recordedFileOf} from './recorded-file.js';

/** Work that stands on a line of a file without a tag. */
export interface PlacedWork {
  /** From 1. */
  readonly line: number;
  readonly work: SourceWork;
  /** What it is the work of, for a person. */
  readonly about: string;
}

/** A file as it is now. */
export interface CurrentFile {
  /** With "/" or "\". */
  readonly path: string;
  readonly lineCount: number;
  /** @param line from 1 */
  readonly lineAt: (line: number) => string;
  readonly modules: readonly ModuleForward[];
}

const definition = /^\s*(?:async\s+)?def\s+([\p{L}\p{N}_]+)/u;

/**
 * The lines of a file on which work of its functions and of its classes of modules stands, from the top. A function is
 * found by its name, of several the nearest to where it was when it ran: lines above may have come and gone since.
 */
export function placesOfSourceLines(file: CurrentFile, {lines, modules}: SourceLines): PlacedWork[] {
  const placed = new Map<number, PlacedWork>();
  const recorded = recordedFileOf(file.path, new Set(lines.map(line => line.file)));
  const frames = lines.filter(line => hasWork(line) && line.file === recorded);
  const definitions = frames.length > 0 ? definitionsOf(file) : new Map<string, number[]>();
  for (const frame of frames) {
    const line = nearest(frame, definitions);
    if (line !== null && !placed.has(line)) {
      placed.set(line, {line, work: frame, about: `the function ${frame.functions.join(', ')}`});
    }
  }
  // A module's own figure says the same of its forward, and how many modules there are.
  for (const {className, line} of file.modules) {
    const found = modules.find(candidate => simpleClassName(candidate.className) === className);
    if (found && hasWork(found)) placed.set(line, {line, work: found, about: aboutModule(found)});
  }
  return [...placed.values()].sort((a, b) => a.line - b.line);
}

function aboutModule({className, modules}: ModuleClass): string {
  const name = simpleClassName(className);
  return modules === 1 ? `the module ${name}` : `${String(modules)} modules ${name}`;
}

function hasWork({gpuWorkNs, backwardGpuWorkNs}: SourceWork): boolean {
  return gpuWorkNs + backwardGpuWorkNs > 0;
}

/** Name of a function → the lines of its definitions. */
function definitionsOf({lineCount, lineAt}: CurrentFile): Map<string, number[]> {
  const definitions = new Map<string, number[]>();
  for (let line = 1; line <= lineCount; line++) {
    const name = definition.exec(lineAt(line))?.[1];
    if (name === undefined) continue;
    const found = definitions.get(name);
    if (found) found.push(line);
    else definitions.set(name, [line]);
  }
  return definitions;
}

function nearest({functions, line}: FrameLine, definitions: ReadonlyMap<string, readonly number[]>): number | null {
  let best: number | null = null;
  for (const name of functions) {
    for (const candidate of definitions.get(name) ?? []) {
      if (best === null || Math.abs(candidate - line) < Math.abs(best - line)) best = candidate;
    }
  }
  return best;
}
