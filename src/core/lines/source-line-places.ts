import {say} from '../base/say.js';
import type {FrameLine, ModuleClass, SourceLines, SourceWork} from './source-lines.js';
import {getOrAdd} from '../table/get-or-add.js';
import {simpleClassName, type ModuleForward} from '../source/module-forward.js';
import type {ModuleSite} from '../source/sidecar.js';

/** Work shown on a line without a tag. */
export interface PlacedWork {
  /** From 1. */
  readonly line: number;
  readonly work: SourceWork;
  /** A description of the work for people. */
  readonly about: string;
  /** The origin of the work: slices with these names, of this kind. */
  readonly names: readonly string[];
  readonly kind: 'python_function' | 'module';
}

/** The current version of a file. */
export interface CurrentFile {
  /** The paths of the file in the profile's frames and modules; null if they have none. */
  readonly frameFile: string | null;
  readonly moduleFile: string | null;
  readonly lineCount: number;
  /** @param line from 1 */
  readonly lineAt: (line: number) => string;
  readonly modules: readonly ModuleForward[];
  /** Recorded line → its current line, null if it is gone; null if the recorded text is unknown. */
  readonly lineNow: ((line: number) => number | null) | null;
}

/** A function may begin at most this many lines above its `def`, with its decorators. */
const mostDecoratorLines = 10;
const definition = /^\s*(?:async\s+)?def\s+([\p{L}\p{N}_]+)/u;

/**
 * Returns the lines of a file on which the work of its functions and of its module classes is shown, from the top.
 *
 * A function is found by its name. If several functions have it, the one at the recorded place is taken. If the file
 * may have been edited and the function is ambiguous, none gets figures.
 *
 * @param sites where the runner saw the `forward` of modules
 */
export function placesOfSourceLines(
  file: CurrentFile,
  {lines, modules}: SourceLines,
  sites: readonly ModuleSite[] = [],
): PlacedWork[] {
  const placed = new Map<number, PlacedWork>();
  const frames = lines.filter(line => hasWork(line) && line.file === file.frameFile);
  const definitions = frames.length > 0 ? definitionsOf(file) : new Map<string, number[]>();
  for (const frame of frames) {
    const line = lineOfFrame(frame, frames, definitions, file);
    if (line !== null && !placed.has(line)) {
      const about = say('the function {0}', frame.functions.join(', '));
      placed.set(line, {line, work: frame, about, names: frame.names, kind: 'python_function'});
    }
  }
  // A module's own figure covers its forward, and also counts the modules.
  for (const [line, classes] of classesByLine(file, modules.filter(hasWork), sites)) {
    const [most] = classes;
    placed.set(line, {line, work: most, about: aboutModules(classes), names: most.names, kind: 'module'});
  }
  return [...placed.values()].sort((a, b) => a.line - b.line);
}

/** Describes the modules of classes that share one `forward`. The first class, with the most work, stands for all. */
function aboutModules([first, ...others]: readonly ModuleClass[]): string {
  const name = simpleClassName(first.className);
  const about = first.modules === 1 ? say('the module {0}', name) : say('{0} modules {1}', first.modules, name);
  const names = others.map(({className}) => className).join(', ');
  return others.length === 0 ? about : say('{0} (not of {1}, which have the same forward)', about, names);
}

function hasWork({gpuWorkNs, backwardGpuWorkNs}: SourceWork): boolean {
  return gpuWorkNs + backwardGpuWorkNs > 0;
}

/** Name of a function → the lines of its definitions. */
function definitionsOf({lineCount, lineAt}: CurrentFile): Map<string, number[]> {
  const definitions = new Map<string, number[]>();
  for (let line = 1; line <= lineCount; line++) {
    const name = definition.exec(lineAt(line))?.[1];
    if (name !== undefined) getOrAdd(definitions, name, () => []).push(line);
  }
  return definitions;
}

function lineOfFrame(
  frame: FrameLine,
  frames: readonly FrameLine[],
  definitions: ReadonlyMap<string, readonly number[]>,
  {lineNow, lineAt}: CurrentFile,
): number | null {
  const candidates = frame.functions.flatMap(name => definitions.get(name) ?? []);
  if (!lineNow) return likelyLine(frame, frames, candidates, lineAt);
  const line = lineNow(frame.line);
  if (line === null) return null;
  // A function that was already running when the recording began has the line that it was executing.
  const around = candidates.length === 1 && candidates[0] < line ? candidates[0] : null;
  return candidates.find(candidate => isBeginOf(candidate, line, lineAt)) ?? around;
}

/** Returns the likely line of a function of a file whose recorded text is unknown. */
function likelyLine(
  frame: FrameLine,
  frames: readonly FrameLine[],
  candidates: readonly number[],
  lineAt: (line: number) => string,
): number | null {
  if (candidates.length < 2) return candidates[0] ?? null;
  const alike = frames.filter(({functions}) => functions.some(name => frame.functions.includes(name)));
  const lineHere = (line: number) => candidates.find(candidate => isBeginOf(candidate, line, lineAt));
  if (alike.every(({line}) => lineHere(line) !== undefined)) return lineHere(frame.line) ?? null;
  // The whole text may have moved: then no function is at its old line, but their order is the same.
  if (alike.length !== candidates.length) return null;
  return candidates[alike.filter(({line}) => line < frame.line).length] ?? null;
}

/** Returns whether the function with its `def` on one line begins on another, with its first decorator. */
function isBeginOf(definitionLine: number, line: number, lineAt: (line: number) => string): boolean {
  if (line === definitionLine) return true;
  const isAbove = line < definitionLine && line >= definitionLine - mostDecoratorLines;
  return isAbove && line >= 1 && lineAt(line).trimStart().startsWith('@');
}

/** Returns, for each line of a `forward`, the classes of its modules, most work first. */
function classesByLine(
  file: CurrentFile,
  classes: readonly ModuleClass[],
  sites: readonly ModuleSite[],
): Map<number, ModuleClass[]> {
  const byLine = new Map<number, ModuleClass[]>();
  if (file.modules.length === 0) return byLine;
  const siteOf = new Map<string, ModuleSite>();
  for (const site of sites) if (!siteOf.has(site.class)) siteOf.set(site.class, site);
  for (const one of classes) {
    const site = siteOf.get(one.qualifiedName);
    const line = site ? lineOfSite(site, file) : lineOfClass(one.className, file);
    if (line !== null) getOrAdd(byLine, line, () => []).push(one);
  }
  return byLine;
}

/** Returns the line of a class that the profile knows only by name. */
function lineOfClass(className: string, {modules}: CurrentFile): number | null {
  return modules.find(candidate => candidate.className === className)?.line ?? null;
}

/**
 * Returns the line of the `forward` that the runner saw, which may be inherited; classes of other files may have the
 * same name.
 */
function lineOfSite(
  {class: className, file, line: siteLine}: ModuleSite,
  {modules, moduleFile, lineNow}: CurrentFile,
): number | null {
  if (file === undefined || siteLine === undefined || file !== moduleFile) return null;
  const line = lineNow ? lineNow(siteLine) : siteLine;
  if (line === null) return null;
  const own = modules.filter(candidate => candidate.className === simpleClassName(className));
  if (own.length > 0) {
    return nearest(
      own.map(candidate => candidate.line),
      line,
    );
  }
  const inherited = modules.find(candidate => candidate.line >= line && candidate.line <= line + mostDecoratorLines);
  return inherited?.line ?? null;
}

function nearest(lines: readonly number[], wanted: number): number | null {
  let best: number | null = null;
  for (const line of lines) if (best === null || Math.abs(line - wanted) < Math.abs(best - wanted)) best = line;
  return best;
}
