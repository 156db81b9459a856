// Generates src/scanner/event-columns.ts, the scanner's columns of events, from their schema.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {root} from './run.mjs';

const schemaFile = join(root, 'src', 'importers', 'kineto', 'event-schema.ts');
const columnsFile = join(root, 'src', 'scanner', 'event-columns.ts');
const bytesOf = {f64: 8, i32: 4, u8: 1};

/** Returns the text of src/scanner/event-columns.ts. */
export async function eventColumns() {
  // Node can import TypeScript that is JavaScript except for its types.
  const {eventSchema} = await import(pathToFileURL(schemaFile).href);
  const columns = Object.entries(eventSchema);
  const rowBytes = columns.reduce((sum, [, kind]) => sum + bytesOf[kind], 0);
  return `// Made from src/importers/kineto/event-schema.ts by scripts/lib/event-columns.mjs. Change that; a build makes this anew.

${columns.map(([name]) => `export let ${name}: usize = 0;`).join('\n')}

let nextColumn: usize = 0;

function column(bytes: usize): usize {
  const at = nextColumn;
  nextColumn += bytes;
  return at;
}

/** Space for the columns of \`capacity\` events, a multiple of 8. */
export function allocateEvents(capacity: usize): usize {
  return heap.alloc(${String(rowBytes)} * capacity);
}

/** From now on events are written to the columns of \`capacity\` events that begin at \`start\`, one behind the other. */
export function selectEvents(start: usize, capacity: usize): void {
  nextColumn = start;
${columns.map(([name, kind]) => `  ${name} = column(${kind === 'u8' ? '' : `${String(bytesOf[kind])} * `}capacity);`).join('\n')}
}
`;
}

/** Writes the file again if the schema has changed. */
export async function writeEventColumns() {
  const text = await eventColumns();
  if (readFileSync(columnsFile, 'utf8') !== text) writeFileSync(columnsFile, text);
}
