import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {npm} from '../../scripts/lib/npm.mjs';
import {packageCli} from '../../scripts/lib/package-cli.mjs';
import {run} from '../support/command-line.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {project, temporaryFolder} from '../support/project.js';
import {writeTwoKernels} from '../support/two-kernels.js';

const mostBytes = 4e6;
const folder = temporaryFolder();
const trace = writeTwoKernels(folder);

/** Paths of files, from a folder, in order. */
function filesBelow(parent: string): string[] {
  return readdirSync(parent, {recursive: true, encoding: 'utf8'})
    .filter(path => statSync(join(parent, path)).isFile())
    .map(path => path.replaceAll('\\', '/'))
    .sort();
}

/** better-sqlite3 as npm installs it, less its sources and the binaries of other machines: the registry is out of reach. */
function sqliteOfThisMachine(): string {
  const from = join(project, 'node_modules', 'better-sqlite3');
  const to = join(folder, 'better-sqlite3');
  for (const part of ['lib', 'prebuilds']) cpSync(join(from, part), join(to, part), {recursive: true});
  const {name, version, main, exports} = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  writeFileSync(join(to, 'package.json'), JSON.stringify({name, version, main, exports}));
  return to;
}

describe('the package of the command line', () => {
  const home = join(folder, 'home');
  const installed = join(home, 'node_modules', 'gpu-lens');
  let tarball = '';
  const gpuLens = (...args: string[]) => {
    const program = join(home, 'node_modules', '.bin', process.platform === 'win32' ? 'gpu-lens.cmd' : 'gpu-lens');
    const env = {...process.env, HOME: home, USERPROFILE: home};
    const {status, stdout, stderr} = spawnSync(program, args, {
      cwd: home,
      env,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    return {status, stdout, stderr};
  };

  beforeAll(async () => {
    const packed = join(folder, 'packed');
    mkdirSync(packed);
    tarball = await packageCli(packed);
    mkdirSync(home);
    writeFileSync(join(home, 'package.json'), '{"private": true}');
    const args = ['install', '--offline', '--install-links', '--no-audit', '--no-fund', tarball, sqliteOfThisMachine()];
    await npm(args, {cwd: home, env: {HOME: home, USERPROFILE: home, npm_config_cache: join(home, '.npm')}});
  });

  it('holds what runs and nothing else, in at most 4 MB', () => {
    expect(statSync(tarball).size).toBeLessThanOrEqual(mostBytes);
    const found = filesBelow(installed);
    expect(found.filter(path => !path.startsWith('src/runner/'))).toEqual([
      'LICENSE',
      'README.md',
      ...[
        'THIRD-PARTY-NOTICES.txt',
        'cli',
        'dejavu-mono.license.txt',
        'dejavu-mono.woff2',
        'mcp',
        'pages',
        'resvg.wasm.br',
        'sbom.cdx.json',
        'scan',
        'sql',
        'watch',
      ].map(name => `dist/${name}${name.includes('.') ? '' : '.cjs'}`),
      'docs/metrics.md',
      ...filesBelow(join(project, 'docs', 'schema')).map(name => `docs/schema/${name}`),
      'man/gpu-lens.1',
      'package.json',
    ]);
    const python = filesBelow(join(project, 'src', 'runner')).filter(path => path.endsWith('.py'));
    expect(found.filter(path => path.startsWith('src/runner/'))).toEqual(python.map(path => `src/runner/${path}`));
  });

  it('has a page for those who have no checkout, whose links lead to files of the package', () => {
    const page = readFileSync(join(installed, 'README.md'), 'utf8');
    expect(page).toContain('gpu-lens ranges FILE');
    expect(page).not.toMatch(/dist\/|npm run|npm start/);
    const links = [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.filter(path => !existsSync(join(installed, path)))).toEqual([]);
  });

  it('says what it holds of others, each with a license', () => {
    const {components} = JSON.parse(readFileSync(join(installed, 'dist', 'sbom.cdx.json'), 'utf8')) as {
      components: {purl: string; licenses: {license: {id: string}}[]}[];
    };
    const purls = components.map(({purl}) => purl);
    for (const name of ['yauzl', 'zod', '%40resvg/resvg-wasm', 'hyparquet', 'assemblyscript']) {
      expect(purls.some(purl => purl.startsWith(`pkg:npm/${name}@`))).toBe(true);
    }
    const notices = readFileSync(join(installed, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const {purl, licenses} of components) {
      const [, name, version] = /^pkg:npm\/(.+)@([^@]+)$/.exec(decodeURIComponent(purl)) ?? [];
      expect(notices).toContain(`${name ?? purl} ${version ?? ''} (${licenses[0]?.license.id ?? ''})\n`);
    }
    expect(notices).toContain('Copyright (c) 2014 Josh Wolfe');
  });

  it('installs into an empty home, and answers as the built one', () => {
    expect(gpuLens('--version')).toEqual(run('--version'));
    const asked = [
      ['ranges', trace],
      ['query', trace, 'SELECT count(*) AS kernels FROM kernels'],
      ['findings', trace, '--format', 'json'],
      ['help', '--man'],
    ];
    for (const args of asked) expect(gpuLens(...args)).toEqual(run(...args));
    expect(readFileSync(join(installed, 'man', 'gpu-lens.1'), 'utf8')).toBe(gpuLens('help', '--man').stdout);
  });

  it('paints, and opens a file that SQLite reads', () => {
    const picture = join(folder, 'flame.png');
    expect(gpuLens('export', trace, '--to', 'png', '-o', picture)).toMatchObject({status: 0});
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
    const database = writeNsysDatabase(join(folder, 'report.sqlite'));
    const answer = gpuLens('ranges', database);
    expect(answer).toEqual(run('ranges', database));
    expect(answer.status).toBe(0);
  });
});
