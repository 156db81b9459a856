import {existsSync, globSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
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

/** Every page for people: those of all folders, too. */
const written = [
  ...documents,
  ...decisions,
  ...globSync('{src,webview,test,scripts,media,l10n}/**/README.md', {cwd: project}),
  ...globSync('skills/**/*.md', {cwd: project}),
];

const textOf = (document: string): string => readFileSync(join(project, document), 'utf8');

describe('documents', () => {
  it.each(written)('%s has links to files, and places in them, that exist', document => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const isBroken = (path: string, place: string | undefined) => {
      const target = path === '' ? document : normalize(join(dirname(document), path));
      if (!existsSync(join(project, target))) return true;
      return place !== undefined && target.endsWith('.md') && !placesOf(textOf(target)).has(place);
    };
    expect(links.filter(([, path = '', place]) => isBroken(path, place)).map(([link]) => link)).toEqual([]);
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

  it('ARCHITECTURE.md lists every package, and no other', () => {
    const [, dependencies = ''] = /\n## Dependencies\n([^]*?)(\n## |$)/.exec(textOf('ARCHITECTURE.md')) ?? [];
    // Below the heading and the line of dashes.
    const [, , ...cells] = [...dependencies.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, cell = '']) => cell);
    const explained = cells.flatMap(cell => cell.split(', ').map(name => name.replace(/ \(.*/, '')));
    const {dependencies: atRunTime, devDependencies} = JSON.parse(textOf('package.json')) as Record<string, object>;
    const used = Object.keys({...atRunTime, ...devDependencies});
    const isExplained = (name: string) => explained.includes(name) || name.startsWith('@types/');
    expect(used.filter(name => !isExplained(name))).toEqual([]);
    expect(explained.filter(name => !used.includes(name))).toEqual(['other @types']);
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

/** Returns the names by which links reach a place of a page: those that it sets itself, and GitHub's of its headings. */
function placesOf(markdown: string): Set<string> {
  const own = [...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  const headings = [...markdown.replace(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/<[^>]*>/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...own, ...headings]);
}
