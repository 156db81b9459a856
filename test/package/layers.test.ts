import {execFileSync, spawnSync} from 'node:child_process';
import {copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, it} from 'vitest';
import {project, temporaryFolder} from '../support/project.js';

/** The rings of the core in the order of its README, the lowest first. */
const rings = [
  ...readFileSync(join(project, 'src', 'core', 'README.md'), 'utf8').matchAll(/^\d+\. `([\w-]+)\/`/gm),
].map(([, ring = '']) => ring);

/** Files that each break one border, with the rule that must say so. */
const broken: readonly (readonly [file: string, source: string, rule: string])[] = [
  ['src/core/reads-file.ts', "import {readFileSync} from 'node:fs';\nreadFileSync('x');", 'core-imports'],
  ['src/core/knows-importers.ts', "import {x} from '../importers/x.js';\nconsole.log(x);", 'core-imports'],
  ['src/core/draws.ts', "import {select} from 'd3-selection';\nselect('x');", 'core-imports'],
  ['src/protocol/reads-file.ts', "import {readFileSync} from 'node:fs';\nreadFileSync('x');", 'protocol-imports'],
  ['src/source/knows-importers.ts', "import {x} from '../importers/x.js';\nconsole.log(x);", 'source-imports'],
  ['src/importers/knows-source.ts', "import {x} from '../source/x.js';\nconsole.log(x);", 'importers-imports'],
  ['src/launch/knows-engine.ts', "import {x} from '../engine/client.js';\nconsole.log(x);", 'launch-imports'],
  ['src/parquet/knows-source.ts', "import {x} from '../source/x.js';\nconsole.log(x);", 'parquet-imports'],
  ['src/sql/knows-source.ts', "import {x} from '../source/x.js';\nconsole.log(x);", 'sql-imports'],
  ['src/host/knows-sql.ts', "import {x} from '../sql/x.js';\nconsole.log(x);", 'host-imports'],
  ['src/cli/knows-sql.ts', "import {x} from '../sql/x.js';\nconsole.log(x);", 'cli-imports'],
  ['src/engine/knows-launch.ts', "import {x} from '../launch/x.js';\nconsole.log(x);", 'engine-imports'],
  ['src/cli/knows-engine.ts', "import {x} from '../engine/client.js';\nconsole.log(x);", 'cli-imports'],
  ['src/host/knows-importers.ts', "import {x} from '../importers/x.js';\nconsole.log(x);", 'host-imports'],
  ['src/host/knows-engine.ts', "import {x} from '../engine/engine.js';\nconsole.log(x);", 'host-imports'],
  ['webview/knows-source.ts', "import {x} from '../src/source/x.js';\nconsole.log(x);", 'webview-imports'],
  ['webview/reads-file.ts', "import {readFileSync} from 'node:fs';\nreadFileSync('x');", 'webview-imports'],
  ['src/launch/knows-vscode.ts', "import type {Uri} from 'vscode';\nexport type X = Uri;", 'vscode-only-in-host'],
  ['src/engine/knows-host.ts', "import {x} from '../host/x.js';\nconsole.log(x);", 'nothing-imports-host-cli-or-tests'],
  ['src/core/reached-by-nothing.ts', 'export const x = 1;', 'no-dead-files'],
  ['src/core/a.ts', "import {b} from './b.js';\nexport const a = 1;\nconsole.log(b);", 'no-cycles'],
  ['src/core/in-no-ring.ts', "import {x} from './base/x.js';\nconsole.log(x);", 'core-in-a-ring'],
  ['src/core/utilities/in-no-ring.ts', "import {x} from '../base/x.js';\nconsole.log(x);", 'core-in-a-ring'],
  [
    'src/core/trace/knows-a-folder-in-no-ring.ts',
    "import {x} from '../utilities/x.js';\nconsole.log(x);",
    'core-ring-trace',
  ],
  ...['src/host', 'src/launch', 'src/importers', 'src/importers/nsys', 'src/core/findings', 'src/core/what-if'].map(
    (root): (typeof broken)[number] => [
      `${root}/below/knows-root.ts`,
      "import type {X} from '../root.js';\nexport type Y = X;",
      'roots-are-on-top',
    ],
  ),
  [
    'src/host/run/knows-choices.ts',
    "import type {X} from './choices/x.js';\nexport type Y = X;",
    'runs-know-no-choices',
  ],
  // Each ring but the highest, breaking its rule by a type alone.
  ...rings
    .slice(0, -1)
    .map((ring, rank): (typeof broken)[number] => [
      `src/core/${ring}/knows-above.ts`,
      `import type {X} from '../${rings[rank + 1] ?? ''}/x.js';\nexport type Y = X;`,
      `core-ring-${ring}`,
    ]),
];

/** Layers whose folders stand in an order. */
const layersOfFolders = ['src/core', 'src/host', 'src/launch', 'src/importers', 'webview'];

/** Files that the broken ones import. */
const others = [
  'src/importers/x.ts',
  'src/source/x.ts',
  'src/engine/client.ts',
  'src/engine/engine.ts',
  'src/launch/x.ts',
  'src/sql/x.ts',
  'src/host/x.ts',
  'src/core/utilities/x.ts',
];

it('the layer rules name each border that is crossed', () => {
  const folder = temporaryFolder();
  const write = (file: string, source: string) => {
    mkdirSync(dirname(join(folder, file)), {recursive: true});
    writeFileSync(join(folder, file), source);
  };
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.base.json', 'package.json']) {
    copyFileSync(join(project, name), join(folder, name));
  }
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  for (const file of others) write(file, 'export const x = 1;');
  for (const ring of rings) write(`src/core/${ring}/x.ts`, 'export const x = 1;\nexport type X = 1;');
  write('src/core/b.ts', "import {a} from './a.js';\nexport const b = a;");
  for (const root of [
    'src/host',
    'src/launch',
    'src/importers',
    'src/importers/nsys',
    'src/core/findings',
    'src/core/what-if',
  ]) {
    write(`${root}/root.ts`, 'export type X = 1;');
  }
  write('src/host/run/choices/x.ts', 'export type X = 1;');
  for (const layer of layersOfFolders) {
    // No file of these imports itself, but each folder imports the other, by types alone.
    write(`${layer}/this/a.ts`, "import type {B} from '../that/b.js';\nexport type A = B;");
    write(`${layer}/that/c.ts`, "import type {D} from '../this/d.js';\nexport type C = D;");
    write(`${layer}/that/b.ts`, 'export type B = 1;');
    write(`${layer}/this/d.ts`, 'export type D = 1;');
  }
  for (const [file, source] of broken) write(file, source);
  // A program that reaches what must not be called dead.
  write('src/cli/main.ts', others.map(file => `import '../../${file.replace('.ts', '.js')}';`).join('\n'));
  const cruiser = join(project, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const {stdout} = spawnSync(
    process.execPath,
    [cruiser, 'src', 'webview', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    {cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20},
  );
  const {summary} = JSON.parse(stdout) as {summary: {violations: {from: string; rule: {name: string}}[]}};
  const found = summary.violations.map(({from, rule}) => `${from} ${rule.name}`);
  expect(found).toEqual(expect.arrayContaining(broken.map(([file, , rule]) => `${file} ${rule}`)));
  const folderCycles = layersOfFolders.flatMap(layer => [`${layer}/this`, `${layer}/that`]);
  expect(found).toEqual(expect.arrayContaining(folderCycles.map(folder => `${folder} no-folder-cycles`)));
  // The files that keep to the rules are not named.
  expect(found.filter(text => others.some(file => text.startsWith(file)))).toEqual([]);
});

it("the core's README draws its folders in the order that the rules have, and leaves none out", () => {
  const folders = readdirSync(join(project, 'src', 'core'), {withFileTypes: true}).filter(entry => entry.isDirectory());
  expect([...rings].sort()).toEqual(folders.map(({name}) => name).sort());
});

it('the compiler lets no layer of pure code see the page, the clock or Node', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'impure.ts');
  writeFileSync(file, 'document.title = String(performance.now()) + process.pid;');
  const config = join(folder, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(project, 'src', 'core', 'tsconfig.json'),
      compilerOptions: {rootDir: '/', composite: false, noEmit: true, emitDeclarationOnly: false, declaration: false},
      include: [file],
    }),
  );
  const compile = () =>
    execFileSync(process.execPath, [join(project, 'node_modules', 'typescript', 'bin', 'tsc6'), '-p', config], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(compile).toThrow();
  const {stdout} = spawnSync(
    process.execPath,
    [join(project, 'node_modules', 'typescript', 'bin', 'tsc6'), '-p', config],
    {encoding: 'utf8'},
  );
  for (const name of ['document', 'performance', 'process']) expect(stdout).toContain(`'${name}'`);
});
