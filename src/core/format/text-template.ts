/** The values of a template's fields; '' if there is none. */
export type TemplateFields = Readonly<Record<string, string>>;

const separator = ' · ';

/**
 * Fills in the fields of a template. It consists of parts separated by " · ". A part with an empty field is omitted,
 * including the words around the field. An unknown field is written unchanged, so that typos are visible.
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
