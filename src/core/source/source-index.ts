import {isExactName, matchesName} from '../names/name-pattern.js';
import {classOfModule, type ModuleForward} from './module-forward.js';
import {PathIndex} from './path-index.js';
import type {SourceTag} from './source-tag.js';

/** The position in a notebook; absent in other files. */
export interface InCell {
  /** The cell that lines count from, by its position among all cells, from 0. */
  readonly cell?: number;
}

/** The contents of a source file on which ranges can be shown. */
export interface FileContents {
  readonly tags: readonly (SourceTag & InCell)[];
  readonly modules: readonly (ModuleForward & InCell)[];
  /** Functions and classes that are passed to torch.compile. */
  readonly compiled: readonly string[];
}

/** A line of a file that opens ranges, or on which ranges of modules are shown. */
export interface SourcePlace extends InCell {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly endLine: number;
}

/** Returns a place for display: `model.py:3`, or in notebooks, whose cells count from 1, `a.ipynb, cell 2:3`. */
export function placeText(file: string, {line, cell}: InCell & {readonly line: number}): string {
  return `${file}${cell === undefined ? '' : `, cell ${String(cell + 1)}`}:${String(line)}`;
}

type SourcePlaceInFile = Omit<SourcePlace, 'file'>;

/** A tag and its file. */
export interface TagPlace extends SourcePlace {
  readonly tag: SourceTag;
}

/**
 * The tags of many files, by the names of the ranges that they open.
 *
 * Files are kept by path, including those without tags, because paths of a profile are looked up among them.
 */
export class SourceIndex {
  readonly paths = new PathIndex();
  readonly #contents = new Map<string, FileContents>();
  readonly #exact = new Map<string, Set<TagPlace>>();
  readonly #patterns = new Set<TagPlace>();
  readonly #forwards = new Map<string, Set<SourcePlace>>();
  readonly #placesOfFile = new Map<string, readonly TagPlace[]>();

  get files(): number {
    return this.#contents.size;
  }

  /** All tags, file by file, in the order of the files' insertion. */
  get tags(): TagPlace[] {
    return [...this.#placesOfFile.values()].flat();
  }

  /** The tags of one file. */
  tagsIn(file: string): readonly SourceTag[] {
    return this.#contents.get(file)?.tags ?? [];
  }

  /** The names that any file passes to torch.compile. */
  get compiledNames(): Set<string> {
    return new Set([...this.#contents.values()].flatMap(({compiled}) => compiled));
  }

  /** Returns the files in a folder and its subfolders. */
  filesBelow(folder: string): string[] {
    return [...this.#contents.keys()].filter(file => file.startsWith(`${folder}/`) || file.startsWith(`${folder}\\`));
  }

  /** Adds a file, or replaces its contents. */
  set(file: string, contents: FileContents): void {
    this.#forget(file);
    this.paths.add(file);
    this.#contents.set(file, contents);
    const places = contents.tags.map(tag => ({...placeOf(file, tag), tag}));
    if (places.length > 0) this.#placesOfFile.set(file, places);
    for (const place of places) {
      const {pattern} = place.tag;
      if (pattern && isExactName(pattern)) addTo(this.#exact, pattern[0] ?? '', place);
      else if (pattern) this.#patterns.add(place);
    }
    for (const module of contents.modules) addTo(this.#forwards, module.className, placeOf(file, module));
  }

  delete(file: string): void {
    this.#forget(file);
    this.paths.delete(file);
  }

  /**
   * Returns every place that can have opened a range of this name. If some tags have exactly this name, only they are
   * returned, because patterns may match by accident. Otherwise, patterns with the most text come first.
   */
  tagsFor(name: string): TagPlace[] {
    const exact = this.#exact.get(name);
    if (exact && exact.size > 0) return inOrder([...exact]);
    const fitting = [...this.#patterns].filter(({tag}) => tag.pattern && matchesName(tag.pattern, name));
    return inOrder(fitting).sort((a, b) => fixedLength(b.tag) - fixedLength(a.tag));
  }

  /** Returns the `forward` methods for a module range of this name: those of its class, in every file. */
  forwardsFor(name: string): SourcePlace[] {
    return this.forwardsOf(classOfModule(name) ?? '');
  }

  /** Returns the `forward` methods of the classes with this name. */
  forwardsOf(className: string): SourcePlace[] {
    return inOrder([...(this.#forwards.get(className) ?? [])]);
  }

  /** Returns every place for a range or a module range of this name. */
  placesFor(name: string): SourcePlace[] {
    return classOfModule(name) === null ? this.tagsFor(name) : this.forwardsFor(name);
  }

  #forget(file: string): void {
    const contents = this.#contents.get(file);
    if (!contents) return;
    this.#contents.delete(file);
    for (const place of this.#placesOfFile.get(file) ?? []) {
      this.#patterns.delete(place);
      this.#exact.get(place.tag.pattern?.[0] ?? '')?.delete(place);
    }
    this.#placesOfFile.delete(file);
    for (const {className} of contents.modules) {
      const places = this.#forwards.get(className) ?? new Set();
      for (const place of places) if (place.file === file) places.delete(place);
    }
  }
}

function placeOf(file: string, {line, endLine, cell}: SourcePlaceInFile): SourcePlace {
  return cell === undefined ? {file, line, endLine} : {file, line, endLine, cell};
}

function addTo<T>(sets: Map<string, Set<T>>, key: string, value: T): void {
  const set = sets.get(key);
  if (set) set.add(value);
  else sets.set(key, new Set([value]));
}

function inOrder<T extends SourcePlace>(places: T[]): T[] {
  return places.sort((a, b) =>
    a.file === b.file ? (a.cell ?? 0) - (b.cell ?? 0) || a.line - b.line : a.file < b.file ? -1 : 1,
  );
}

function fixedLength({pattern}: SourceTag): number {
  return pattern?.join('').length ?? 0;
}
