import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {commandIds} from '../../src/host/base/command-ids.js';
import {project} from '../support/project.js';

interface Manifest {
  readonly version: string;
  readonly icon: string;
  readonly engines: {readonly vscode: string};
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly {readonly command: string; readonly title: string; readonly category: string}[];
    readonly configuration: {readonly properties: Readonly<Record<string, object>>};
  };
}

const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Manifest;

describe('package.json', () => {
  it('contributes every command that the extension registers, but for the internal ones', () => {
    const internal = new Set<string>([
      commandIds.showRangeInTimeline,
      commandIds.showRangeFlame,
      commandIds.showRangeKernels,
      commandIds.compareRuns,
      commandIds.showUntagged,
    ]);
    const contributed = manifest.contributes.commands.map(({command}) => command);
    const registered = Object.values<string>(commandIds).filter(id => !internal.has(id));
    expect(contributed.sort()).toEqual(registered.sort());
    for (const {category} of manifest.contributes.commands) expect(category).toBe('GPU Lens');
  });

  it('declares every setting that is read, and no other', () => {
    const source = readFileSync(join(project, 'src', 'host', 'base', 'settings.ts'), 'utf8');
    const read = [...source.matchAll(/(?:texts?|flag|fields|count|amount|choice(?:<\w+>)?)\('([\w.]+)'/g)].map(
      match => `gpuLens.${match[1] ?? ''}`,
    );
    expect(Object.keys(manifest.contributes.configuration.properties).sort()).toEqual(read.sort());
  });

  it('pins the editor’s types to the oldest editor that it runs in', () => {
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });

  it('names files that exist', () => {
    expect(existsSync(join(project, manifest.icon))).toBe(true);
    expect(readFileSync(join(project, 'CHANGELOG.md'), 'utf8')).toContain(`## ${manifest.version}`);
  });

  it('keeps every version exact', () => {
    for (const version of Object.values(manifest.devDependencies)) expect(version).not.toMatch(/[\^~*]/);
  });
});
