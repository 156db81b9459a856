import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {inputSchemaOf, type Tool} from '../../src/cli/mcp/tool.js';
import {tools} from '../../src/cli/mcp/tools.js';
import {systemPresets} from '../../src/core/estimate/system-presets.js';
import {project} from '../support/project.js';
import {manifestTexts, readManifest} from '../support/read-manifest.js';

interface Manifest {
  readonly version: string;
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly galleryBanner: {readonly color: string; readonly theme: string};
  readonly engines: {readonly vscode: string};
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly {readonly command: string; readonly title: string}[];
    readonly menus: Readonly<Record<string, readonly {readonly command: string; readonly when?: string}[]>>;
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: {readonly markdown: string};
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly languageModelTools: readonly {readonly toolReferenceName: string}[];
    readonly mcpServerDefinitionProviders: readonly object[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, object>>;
    }[];
  };
}

const manifest = readManifest() as Manifest;

describe('package.json', () => {
  it('has no command both for rows of a tree and above it, where VS Code passes the focused row', () => {
    const inMenu = (name: string) => (manifest.contributes.menus[name] ?? []).map(({command}) => command);
    const ofRows = inMenu('view/item/context');
    expect(ofRows.length).toBeGreaterThan(0);
    expect(inMenu('view/title').filter(command => ofRows.includes(command))).toEqual([]);
  });

  it('offers the GPUs that can be predicted for', () => {
    const display = manifest.contributes.configuration.flatMap(({properties}) => Object.entries(properties));
    const [, offered] = display.find(([name]) => name === 'gpuLens.predictFor') ?? [];
    expect(offered).toMatchObject({enum: ['off', ...systemPresets.map(({id}) => id)]});
  });

  it('has the commands that end-to-end tests and documents name, with capitals but for the first of them all', () => {
    const titles = new Set(manifest.contributes.commands.map(({title}) => title));
    const named = (file: string) =>
      [...readFileSync(file, 'utf8').matchAll(/'GPU Lens: ([^'`$]+)'|\*\*GPU Lens: ([^*]+)\*\*/g)].map(
        match => match[1] ?? match[2] ?? '',
      );
    const files = [join(project, 'test', 'e2e'), join(project, 'docs')].flatMap(folder =>
      readdirSync(folder).flatMap(name => (/\.(ts|md)$/.test(name) ? [join(folder, name)] : [])),
    );
    // A name may leave the dots out that say that a question follows.
    expect(files.flatMap(named).filter(title => !titles.has(title) && !titles.has(`${title}…`))).toEqual([]);
    const plain = [...titles].filter(title => /\s(?!a\b|as\b|of\b|the\b|in\b|to\b|with\b|and\b)[a-z]/.test(title));
    expect(plain).toEqual(['Profile model step']);
  });

  it('has the tools of the server of the Model Context Protocol, which run nothing in a workspace that is not trusted', () => {
    const {languageModelTools, mcpServerDefinitionProviders} = manifest.contributes;
    expect(mcpServerDefinitionProviders).toEqual([{id: 'gpuLens.mcp', label: 'GPU Lens'}]);
    const told = (tool: Tool) => ({
      ...{name: `gpuLens_${tool.name}`, displayName: tool.title, modelDescription: tool.description},
      ...{inputSchema: inputSchemaOf(tool), when: tool.runs ? 'isWorkspaceTrusted' : undefined},
    });
    expect(languageModelTools).toMatchObject(tools.map(tool => JSON.parse(JSON.stringify(told(tool))) as object));
    expect(languageModelTools).toHaveLength(tools.length);
    for (const {toolReferenceName} of languageModelTools) expect(toolReferenceName).toMatch(/^gpuLens[A-Z][a-z]+$/);
  });

  it('offers for a row of "Runs" what can be done with it: a pinned one is not deleted', () => {
    const rows = (manifest.contributes.menus['view/item/context'] ?? []).flatMap(({command, when = ''}) => {
      const pattern = /^view == gpuLens\.runs && viewItem (=~|==) (.*)$/.exec(when);
      return pattern ? [{command: command.replace('gpuLens.', ''), is: pattern[1], what: pattern[2] ?? ''}] : [];
    });
    const offered = (row: string) => {
      const fits = rows.filter(({is, what}) => (is === '==' ? what === row : new RegExp(what.slice(1, -1)).test(row)));
      return [...new Set(fits.map(({command}) => command))].sort();
    };
    const ofAll = ['compareRun', 'exportRun', 'labelRun', 'openRun'];
    expect(offered('run loose profile')).toEqual([...ofAll, 'deleteRun', 'pinRun'].sort());
    expect(offered('run pinned profile')).toEqual([...ofAll, 'unpinRun'].sort());
    expect(offered('run loose')).toEqual(['deleteRun', 'exportRun', 'labelRun', 'pinRun']);
  });

  it('has each text that a person reads in package.nls.json, where it can be translated, and no text there in vain', () => {
    const readByPeople =
      /^(title|shortTitle|description|markdownDescription|displayName|userDescription|contents|label)$/;
    const plain: string[] = [];
    const keys = new Set<string>();
    const look = (value: unknown, name: string): void => {
      if (typeof value === 'string') {
        const key = /^%(.+)%$/.exec(value)?.[1];
        if (key !== undefined) keys.add(key);
        else if (readByPeople.test(name) || /^\w*[eE]numDescriptions$/.test(name)) plain.push(value);
      } else if (Array.isArray(value)) for (const item of value) look(item, name);
      else if (typeof value === 'object' && value !== null) {
        // Schemas of tools are for language models, which are asked in English.
        for (const [member, inside] of Object.entries(value)) if (member !== 'inputSchema') look(inside, member);
      }
    };
    look(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')), '');
    // The name of the product is the same in all languages.
    expect(plain.filter(text => text !== 'GPU Lens')).toEqual([]);
    expect([...keys].sort()).toEqual(Object.keys(manifestTexts()).sort());
    expect(readFileSync(join(project, '.vscodeignore'), 'utf8')).toContain('!package.nls.json\n');
  });

  it('has each of these texts in Chinese, too, with the same links, settings and fields', () => {
    const chinese = JSON.parse(readFileSync(join(project, 'package.nls.zh-cn.json'), 'utf8')) as Record<string, string>;
    const english = manifestTexts();
    expect(Object.keys(chinese)).toEqual(Object.keys(english));
    // What is no word: links to commands, settings and code.
    const fixed = (text: string) => text.match(/\(command:[^)]*\)|`[^`]*`/g)?.sort() ?? [];
    for (const [key, text] of Object.entries(chinese)) {
      expect(fixed(text), key).toEqual(fixed(english[key] ?? ''));
      if (
        !/^(displayName|configuration\.nsightsystems\.title)$|\.contextualTitle$|^viewsContainer\.gpuLens\.title$/.test(
          key,
        )
      )
        expect(text, key).toMatch(/\p{Script=Han}/u);
    }
  });

  it('pins the editor’s types to the oldest editor that it runs in', () => {
    expect(manifest.engines.vscode).toBe(`^${manifest.devDependencies['@types/vscode'] ?? ''}`);
  });

  it('names files that exist', () => {
    expect(existsSync(join(project, manifest.icon))).toBe(true);
    expect(readFileSync(join(project, 'CHANGELOG.md'), 'utf8')).toContain(`## ${manifest.version}`);
  });

  it('can be found and looks its own in the marketplace: a banner, and keywords as many as it takes', () => {
    const {galleryBanner, keywords} = manifest;
    expect(galleryBanner.color).toMatch(/^#[\da-f]{6}$/);
    expect(['dark', 'light']).toContain(galleryBanner.theme);
    expect(new Set(keywords).size).toBe(keywords.length);
    // vsce refuses more.
    expect(keywords.length).toBeLessThanOrEqual(30);
    // Each format that is opened can be searched for.
    expect(keywords).toEqual(expect.arrayContaining(['kineto', 'nsight systems', 'rocm']));
  });

  it('has a walkthrough whose pages are in the package, and whose commands exist', () => {
    const ids = new Set(manifest.contributes.commands.map(({command}) => command));
    const packed = readFileSync(join(project, '.vscodeignore'), 'utf8');
    const steps = manifest.contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);
    expect(steps.length).toBeGreaterThan(3);
    for (const {description, media, completionEvents} of steps) {
      expect(existsSync(join(project, media.markdown))).toBe(true);
      expect(packed).toContain(`!${media.markdown.replace(/\w+\.md$/, '*.md')}`);
      const commands = [description, ...completionEvents].flatMap(text =>
        [...text.matchAll(/gpuLens\.\w+/g)].join(' ').split(' '),
      );
      expect(commands.length).toBeGreaterThan(1);
      for (const command of commands) expect(ids).toContain(command);
    }
  });

  it('keeps every version exact', () => {
    for (const version of Object.values(manifest.devDependencies)) expect(version).not.toMatch(/[\^~*]/);
  });
});
