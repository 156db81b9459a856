import {vi} from 'vitest';

/** An element as views create and change it: enough for views that draw only with elements, without a layout. */
export class StandInElement {
  readonly attributes: Record<string, string> = {};
  readonly listeners: Record<string, (() => void)[]> = {};
  children: StandInElement[] = [];
  className = '';
  value = '';
  checked = false;
  #text = '';

  constructor(readonly tag: string) {}

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  append(...children: StandInElement[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: StandInElement[]): void {
    this.children = children;
  }

  addEventListener(type: string, listener: () => void): void {
    (this.listeners[type] ??= []).push(listener);
  }

  /** Simulates a change by the user. */
  change(to: {readonly value?: string; readonly checked?: boolean}): void {
    Object.assign(this, to);
    for (const listener of this.listeners['change'] ?? []) listener();
  }

  get textContent(): string {
    return this.#text + this.children.map(child => child.textContent).join('');
  }

  set textContent(text: string) {
    this.children = [];
    this.#text = text;
  }

  /** Returns its descendants with a tag, in order. */
  all(tag: string): StandInElement[] {
    return this.children.flatMap(child => [...(child.tag === tag ? [child] : []), ...child.all(tag)]);
  }
}

/** Replaces the browser's document by a stand-in, for a whole test file. */
export function standInDocument(): void {
  vi.stubGlobal('document', {
    createElement: (tag: string) => new StandInElement(tag),
    createElementNS: (_: string, tag: string) => new StandInElement(tag),
  });
}
