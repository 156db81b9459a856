import type {FrameLine, ModuleClass, SourceLines, SourceWork} from './source-lines.js';
import {getOrAdd} from '../table/get-or-add.js';
import {simpleClassName, type ModuleForward} from '../source/module-forward.js';
import type {ModuleSite} from '../source/sidecar.js';

/** Work that stands on a line of a file without a tag. */
export interface PlacedWork {
  /** From 1. */
  readonly line: number;
  readonly work: SourceWork;
  /** What it is the work of, for a person. */
  readonly about: string;
  /** What launched it: slices of these names, of that kind. */
  readonly names: readonly string[];
  readonly kind: 'python_function' | 'module';
}

/** A file as it is now. */
export interface CurrentFile {
  /** The paths that frames and that modules of the profile have for it; null where they have none. */
  readonly frameFile: string | null;
  readonly moduleFile: string | null;
  readonly lineCount: number;
  /** @param line from 1 */
  readonly lineAt: (line: number) => string;
  readonly modules: readonly ModuleForward[];
  /** Line as it was recorded → where it stands now, null where it is gone; null where nobody knows the file as it was. */
  readonly lineNow: ((line: number) => number | null) | null;
}

/** So far above its `def` a function may begin, with its decorators. */
const mostDecoratorLines = 10;
const definition = /^\s*(?:async\s+)?def\s+([\p{L}\p{N}_]+)/u;

/**
 * The lines of a file on which work of its functions and of its classes of modules stands, from the top.
 *
 * A function is found by its name, of several the one that stands where it was when it ran. Where nothing tells which one
 * that is, since the file may have been edited, none has figures.
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
      const about = `the function ${frame.functions.join(', ')}`;
      placed.set(line, {line, work: frame, about, names: frame.names, kind: 'python_function'});
    }
  }
  // A module's own figure says the same of its forward, and how many modules there are.
  for (const [line, classes] of classesByLine(file, modules.filter(hasWork), sites)) {
    const [most] = classes;
    placed.set(line, {line, work: most, about: aboutModules(classes), names: most.names, kind: 'module'});
  }
  return [...placed.values()].sort((a, b) => a.line - b.line);
}

/** Of classes that inherit one `forward` the one with the most work stands there. */
function aboutModules([first, ...others]: readonly ModuleClass[]): string {
  const name = simpleClassName(first.className);
  const about = first.modules === 1 ? `the module ${name}` : `${String(first.modules)} modules ${name}`;
  const names = others.map(({className}) => className).join(', ');
  return others.length === 0 ? about : `${about} (not of ${names}, which have the same forward)`;
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
  // A function that ran before the recording has the line that it was at.
  const around = candidates.length === 1 && candidates[0] < line ? candidates[0] : null;
  return candidates.find(candidate => isBeginOf(candidate, line, lineAt)) ?? around;
}

/** Where a function of the file stands that nobody knows as it was. */
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
  // The whole text may have moved: then none is where it was, but their order is.
  if (alike.length !== candidates.length) return null;
  return candidates[alike.filter(({line}) => line < frame.line).length] ?? null;
}

/** Whether the function whose `def` is on a line begins on another, with its first decorator. */
function isBeginOf(definitionLine: number, line: number, lineAt: (line: number) => string): boolean {
  if (line === definitionLine) return true;
  const isAbove = line < definitionLine && line >= definitionLine - mostDecoratorLines;
  return isAbove && line >= 1 && lineAt(line).trimStart().startsWith('@');
}

/** Line of a `forward` → the classes whose modules it is of, most work first. */
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

/** A class that the profile knows by its name alone. */
function lineOfClass(className: string, {modules}: CurrentFile): number | null {
  return modules.find(candidate => candidate.className === className)?.line ?? null;
}

/** Where the `forward` stands that the runner saw, be it inherited; classes of other files may have the same name. */
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
