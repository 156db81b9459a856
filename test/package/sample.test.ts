import {readdirSync, readFileSync} from 'node:fs';
import {hostname, userInfo} from 'node:os';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {parseSidecar, sidecarPath} from '../../src/core/source/sidecar.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {findPythonTags} from '../../src/source/python-tags.js';
import {isExactName, matchesName} from '../../src/core/names/name-pattern.js';
import {project} from '../support/project.js';

const sample = join(project, 'media', 'sample');
const profile = join(sample, 'profile', 'train.pt.trace.json.gz');

describe('the sample’s recorded profile', () => {
  const texts = readdirSync(join(sample, 'profile')).map(name => {
    const bytes = readFileSync(join(sample, 'profile', name));
    return {name, text: (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()};
  });

  it.each(texts)('$name names no machine, no user and no folder of where it was recorded', ({text}) => {
    expect(text).not.toMatch(/host_name|"username"/);
    // A host called "vm" or a user called "root" are parts of other words: they count where they stand alone.
    for (const name of [hostname(), userInfo().username]) expect(text).not.toMatch(new RegExp(`"${name}"|/${name}/`));
    expect(text).not.toMatch(/"[^"]*(\/home\/|\/root\/|\/tmp\/|\/Users\/|\/work\/|[A-Z]:\\\\)/);
  });

  it('has its sites at the lines of the sample’s sources', () => {
    const sidecar = parseSidecar(readFileSync(sidecarPath(profile), 'utf8'));
    expect(sidecar?.sites.length).toBeGreaterThan(10);
    for (const {name, file, line} of sidecar?.sites ?? []) {
      const text = readFileSync(join(sample, file), 'utf8');
      if (name.startsWith('nn.Module: ')) {
        expect(text.split('\n')[line - 1]).toMatch(/^ {4}def forward\(/);
        continue;
      }
      const tags = findPythonTags(text).filter(tag => tag.line === line);
      expect(tags.some(({pattern}) => pattern !== null && matchesName(pattern, name))).toBe(true);
    }
  });

  it('has a range for every tag of the sources, f-strings among them', async () => {
    const names = rangeRows(await openTrace(profile), 'name').map(({name}) => name);
    const tags = ['model.py', 'train.py'].flatMap(file => findPythonTags(readFileSync(join(sample, file), 'utf8')));
    for (const {pattern} of tags) expect(names.some(name => pattern !== null && matchesName(pattern, name))).toBe(true);
    expect(tags.some(({pattern}) => pattern !== null && !isExactName(pattern))).toBe(true);
  });
});
