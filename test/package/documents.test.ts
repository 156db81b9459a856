import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {project} from '../support/project.js';
import {readManifest} from '../support/read-manifest.js';

const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
  ...readdirSync(join(project, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => join('docs', name)),
];
const decisions = readdirSync(join(project, 'docs', 'decisions')).map(name => join('docs', 'decisions', name));

const textOf = (document: string): string => readFileSync(join(project, document), 'utf8');

describe('documents', () => {
  it.each(documents)('%s has links to files that exist', document => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, path]) => path ?? '');
    expect(links.filter(path => !existsSync(join(project, dirname(document), path)))).toEqual([]);
  });

  it('README.md has at most 900 words, and leads to every page of docs', () => {
    const text = textOf('README.md');
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(900);
    for (const page of documents.filter(path => path.startsWith('docs'))) expect(text).toContain(`(${page})`);
  });

  it('ARCHITECTURE.md leads to every decision, which says what and why in at most 150 words', () => {
    const text = textOf('ARCHITECTURE.md');
    expect(decisions.length).toBeGreaterThan(20);
    decisions.sort().forEach((path, at) => {
      expect(text).toContain(`(${path})`);
      const record = textOf(path);
      expect(record).toMatch(new RegExp(`^# ${String(at + 1)}\\. .+\\n\\n## Decision\\n\\n[^]+\\n\\n## Why\\n\\n`));
      expect(record.split(/\s+/).length).toBeLessThan(150);
    });
  });

  it('CHANGELOG.md has the headings of Keep a Changelog, and at most fifteen lines a version, which fit a screen', () => {
    const [, ...versions] = textOf('CHANGELOG.md').split(/^## /m);
    expect(versions.length).toBeGreaterThan(1);
    for (const [version = '', ...lines] of versions.map(text => text.split('\n').filter(line => line !== ''))) {
      expect(version).toMatch(/^(Unreleased|\d+\.\d+\.\d+( - \d{4}-\d\d-\d\d)?)$/);
      expect(lines.length, version).toBeLessThanOrEqual(15);
      for (const line of lines) {
        expect(line).toMatch(/^(### (Added|Changed|Deprecated|Removed|Fixed|Security)$|- [A-Z"])/);
        expect(line.length, line).toBeLessThanOrEqual(220);
      }
    }
  });

  it('README.md names settings and commands that exist', () => {
    const manifest = JSON.stringify(readManifest());
    const text = textOf('README.md');
    const settings = [...text.matchAll(/`(gpuLens\.[\w.]+)`/g)].map(([, name]) => `"${name ?? ''}"`);
    const commands = [...text.matchAll(/\*\*GPU Lens: ([^*]+)\*\*/g)].map(([, title]) => `"title":"${title ?? ''}"`);
    expect(settings.length * commands.length).toBeGreaterThan(0);
    for (const name of [...settings, ...commands]) expect(manifest).toContain(name);
  });
});
