const namespace = 'http://www.w3.org/2000/svg';

/** Returns a new SVG element; text is always text. */
export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>> = {},
  children: readonly Node[] = [],
): SVGElement {
  const created = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  created.append(...children);
  return created;
}

/** Returns a text; `title` is its tooltip. */
export function svgText(text: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const created = svg('text', attributes);
  created.textContent = text;
  return created;
}

export function titled(node: SVGElement, title: string): SVGElement {
  const child = svg('title');
  child.textContent = title;
  node.append(child);
  return node;
}
