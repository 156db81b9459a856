import {element} from './dom.js';

/** A box beside the mouse, with a title and lines of text. */
export class Tooltip {
  readonly #box = element('div', {className: 'tooltip', attributes: {role: 'tooltip', hidden: ''}});

  constructor(private readonly parent: HTMLElement) {
    parent.append(this.#box);
  }

  show(title: string, lines: readonly string[], xPx: number, yPx: number): void {
    this.#box.replaceChildren(
      element('div', {className: 'tooltip-title', text: title}),
      ...lines.map(text => element('div', {text})),
    );
    this.#box.hidden = false;
    const {clientWidth, clientHeight} = this.parent;
    const {offsetWidth, offsetHeight} = this.#box;
    // To the right and below, unless that would be outside the view.
    const left = xPx + 14 + offsetWidth > clientWidth ? Math.max(0, xPx - 10 - offsetWidth) : xPx + 14;
    const top = yPx + 16 + offsetHeight > clientHeight ? Math.max(0, yPx - 8 - offsetHeight) : yPx + 16;
    this.#box.style.left = `${String(left)}px`;
    this.#box.style.top = `${String(top)}px`;
  }

  hide(): void {
    this.#box.hidden = true;
  }
}
