import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {eventColumns} from '../../scripts/lib/event-columns.mjs';
import {eventSchema} from '../../src/importers/kineto/event-schema.js';
import {project} from '../support/project.js';

it('the scanner has the columns of events that their schema has, in its order', async () => {
  const kept = readFileSync(join(project, 'src', 'scanner', 'event-columns.ts'), 'utf8');
  expect(kept).toBe(await eventColumns());
  const columns = [...kept.matchAll(/^export let (\w+): usize/gm)].map(([, name]) => name);
  expect(columns).toEqual(Object.keys(eventSchema));
});
