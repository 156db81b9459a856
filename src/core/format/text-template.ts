/** What a template's fields stand for; '' where there is nothing to tell. */
export type TemplateFields = Readonly<Record<string, string>>;

const separator = ' · ';

/**
 * A template with its fields filled in. It is made of parts with " · " between them; a part that names a field that has
 * nothing to tell is left out whole, with the words around the field. An unknown field stands as it was written, so that
 * a slip of the pen is seen.
 *
 *     "GPU {work} · bwd {backward} · ×{count}"  with work "14.2 ms", backward "", count "32"  →  "GPU 14.2 ms · ×32"
 */
export function fillTemplate(template: string, fields: TemplateFields): string {
  return template
    .split(separator)
    .map(part => fillPart(part, fields))
    .filter(part => part !== '')
    .join(separator);
}

function fillPart(part: string, fields: TemplateFields): string {
  const field = /\{(\w+)\}/g;
  const isKnown = (name: string) => Object.hasOwn(fields, name);
  if ([...part.matchAll(field)].some(([, name]) => isKnown(name) && fields[name] === '')) return '';
  return part.replace(field, (whole, name: string) => (isKnown(name) ? fields[name] : whole));
}
