import {readFileSync} from 'node:fs';
import {createRequire, isBuiltin} from 'node:module';
import {join} from 'node:path';
import {runInThisContext} from 'node:vm';
import {expect, it} from 'vitest';
import {project} from '../support/project.js';
import {comparedWithUsualWork} from '../support/usual-work.js';

const bundle = join(project, 'dist', 'extension.cjs');
const source = readFileSync(bundle, 'utf8');

type Load = (exports: object, require: (name: string) => unknown, module: object) => void;

/** Loads the extension’s bundle, of which V8 has compiled nothing yet, and returns the modules that it asks for. */
function loadedModules(): ReadonlySet<string> {
  const names = new Set<string>();
  const module = {exports: {}};
  const require = createRequire(bundle);
  const load = runInThisContext(`(function (exports, require, module) {${source}\n})`, {filename: bundle}) as Load;
  const requireNamed = (name: string): unknown => {
    names.add(name);
    return name === 'vscode' ? vscode : require(name);
  };
  load(module.exports, requireNamed, module);
  return names;
}

/** Whatever is read from it, called or made with it: loading only names parts of VS Code, and extends its classes. */
const anything: object = new Proxy(Object, {
  get: (target, key) => (key === 'prototype' ? target.prototype : key === Symbol.toPrimitive ? () => '' : anything),
  apply: () => anything,
});

const declarations = readFileSync(join(project, 'node_modules', '@types', 'vscode', 'index.d.ts'), 'utf8');
const exported = [...declarations.matchAll(/^\s*export (?:class|enum|namespace|const|function) (\w+)/gm)];
const vscode = Object.fromEntries(exported.map(([, name = '']) => [name, anything]));

it('the extension loads only VS Code’s and Node’s own modules, in a few times as long as usual work', async () => {
  const {result, times} = await comparedWithUsualWork(loadedModules);
  expect([...result].filter(name => !isBuiltin(name))).toEqual(['vscode']);
  // Loading takes about half of usual work.
  expect(times).toBeLessThan(5);
});
