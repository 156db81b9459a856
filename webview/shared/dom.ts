/** An element's contents besides its tag. Text is always text: names from a file never become markup. */
export interface ElementOptions {
  readonly className?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly Node[];
}

/** Returns a new element. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  {className, text, attributes = {}, children = []}: ElementOptions = {},
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  if (className !== undefined) created.className = className;
  if (text !== undefined) created.textContent = text;
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

/**
 * Returns a text that only screen readers and copied text contain. Between the parts of a flex or grid box it is their
 * separator: a plain text of spaces is not drawn there, and the parts would be read as one word.
 */
export function unseen(text: string): HTMLElement {
  return element('span', {className: 'unseen', text});
}

/**
 * Returns whether the keyboard focus is in an element. It is not if the page itself has lost the focus: an answer that
 * arrives later must not take it from another view or an editor.
 */
export function holdsFocus(target: Element): boolean {
  return document.hasFocus() && target.contains(document.activeElement);
}

/**
 * Returns the element that a view fills: the main part of its page, below the heading that names the view for screen
 * readers.
 */
export function pageRoot(): HTMLElement {
  return document.querySelector('main') ?? document.body;
}
