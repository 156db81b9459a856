import {kindIndex} from '../../core/trace/slices.js';
import type {StringTable} from '../../core/table/string-table.js';
import {acceleratorOf, isKinetoCategory, sliceKindOf} from './categories.js';
import {absent} from './scanned-event.js';

/** Meanings of texts by their number: found once per text, then read from arrays. */
export class KinetoTexts {
  /** Whether a category was one that the PyTorch profiler writes. */
  isKineto = false;
  /** The name of the accelerator if it is not a GPU; null for GPUs. */
  accelerator: string | null = null;
  readonly #texts: string[] = [];
  /** Name of each text in the trace's string table; -1 until requested. */
  #names = new Int32Array(1024).fill(-1);
  /** Kind index of each text as a category; 255 until requested. */
  #kinds = new Uint8Array(1024).fill(255);
  /** 1 for each text that names a module's call, else 0; 255 until requested. */
  #modules = new Uint8Array(1024).fill(255);

  constructor(private readonly strings: StringTable) {}

  add(number: number, text: string): void {
    this.#texts[number] = text;
    if (number >= this.#names.length) this.#grow(number + 1);
  }

  text(number: number): string {
    return this.#texts[number] ?? '';
  }

  /** The name in the trace's string table. */
  nameOf(number: number): number {
    if (number === absent) return 0;
    const known = this.#names[number];
    return known >= 0 ? known : (this.#names[number] = this.strings.intern(this.text(number)));
  }

  /** Returns the index of the kind of a category's slices. */
  kindOf(category: number, name: number): number {
    if (category === absent) return kindIndex.other;
    let kind = this.#kinds[category];
    if (kind === 255) kind = this.#kinds[category] = this.#classify(category);
    const inModules = this.kindOfModules(kind);
    return inModules !== kind && this.isModule(name) ? inModules : kind;
  }

  /** Returns the kind index of slices that name a module's call, given their category's kind. */
  kindOfModules(kind: number): number {
    return kind === kindIndex.python_function || kind === kindIndex.cpu_op ? kindIndex.module : kind;
  }

  isForwardBackward(category: number): boolean {
    return this.text(category) === 'fwdbwd';
  }

  /** Calls of an nn.Module replace the frame of its `__call__`; the runner records them as operators. */
  isModule(name: number): boolean {
    if (name === absent) return false;
    const known = this.#modules[name];
    if (known !== 255) return known === 1;
    const isModule = this.text(name).startsWith('nn.Module: ');
    this.#modules[name] = isModule ? 1 : 0;
    return isModule;
  }

  #classify(category: number): number {
    const text = this.text(category);
    if (isKinetoCategory(text)) this.isKineto = true;
    this.accelerator ??= acceleratorOf(text);
    return kindIndex[sliceKindOf(text)];
  }

  #grow(length: number): void {
    const names = new Int32Array(length * 2).fill(-1);
    names.set(this.#names);
    this.#names = names;
    const kinds = new Uint8Array(length * 2).fill(255);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
    const modules = new Uint8Array(length * 2).fill(255);
    modules.set(this.#modules);
    this.#modules = modules;
  }
}
