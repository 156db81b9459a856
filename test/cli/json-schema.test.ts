import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {expectSchema, schemaFolder} from '../support/json-schema.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const sample = join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz');
const database = writeNsysDatabase(join(folder, 'report.sqlite'));

/** These write files, or speak another protocol. */
const withoutJson = ['completion', 'export', 'mcp', 'report', 'summarize'];

describe('the schemas of docs/schema', () => {
  const files = readdirSync(schemaFolder);

  it('are of every command that prints JSON, and docs/command-line.md shows each command', () => {
    const commands =
      run('--help')
        .stdout.match(/^ {2}([\w-]+)(?= {2,}[A-Z])/gm)
        ?.map(name => name.trim()) ?? [];
    const named = [...files.map(name => name.replace('.json', '')), ...withoutJson];
    const document = readFileSync(join(project, 'docs', 'command-line.md'), 'utf8');
    expect(commands.length).toBeGreaterThan(20);
    expect([
      ...commands
        .filter(name => !named.includes(name))
        .map(name => `Add docs/schema/${name}.json, or ${name} to withoutJson of this test if it prints no JSON.`),
      ...named
        .filter(name => !commands.includes(name))
        .map(name => `No command is called ${name}: it needs no schema.`),
      ...commands
        .filter(name => !new RegExp(`(gpu-lens|cli\\.cjs) ${name}\\b`).test(document))
        .map(name => `Add a line for ${name} to docs/command-line.md.`),
    ]).toEqual([]);
  });

  it.each(files)('%s has the version that --version prints', name => {
    const {$id} = JSON.parse(readFileSync(join(schemaFolder, name), 'utf8')) as {$id: string};
    expect(run('--version').stdout).toContain(`(JSON schema ${/^gpu-lens:(\d+)\//.exec($id)?.[1] ?? ''})`);
  });

  // `run` and `json` hold each answer of a command against its schema, here and in all other tests of the command line.
  it.each([
    ['info', sample],
    ['info', sample, database],
    ['ranges', database, '--all-figures'],
    ['ranges', sample, '--by', 'line'],
    ['stats', database, '-r', 'cuda_gpu_kern_sum,nvtx_sum'],
    ['flame', database],
    ['compare', database, database, database],
    ['query', database, 'SELECT * FROM kernels LIMIT 1'],
    ['whatif', sample, '--system', 'h100'],
    ['critical-path', sample],
    ['trigger', '--list'],
    ['runs', '--output', join(folder, 'none')],
  ])('hold for gpu-lens %s %s', (...args) => {
    const {status, stdout} = run(...args, '--format', 'json');
    expect(status).toBe(0);
    expect(stdout).not.toBe('');
  });

  it('refuse what a command does not say', () => {
    const [first, ...others] = json('ranges', database) as Record<string, unknown>[];
    expect(() => {
      expectSchema('ranges', JSON.stringify([{...first, gpuTime: 1}, ...others]));
    }).toThrow('/0 must NOT have additional properties');
    expect(() => {
      expectSchema('ranges', JSON.stringify([{...first, gpuWorkNs: '1 ms'}]));
    }).toThrow('/0/gpuWorkNs must be number');
  });
});
