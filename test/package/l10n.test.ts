import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import ts from 'typescript';
import {expect, it} from 'vitest';
import {project} from '../support/project.js';

interface Call {
  readonly file: string;
  readonly name: string;
  readonly argument: ts.Expression | undefined;
}

/** All calls in the extension host, with their first argument. */
const calls: Call[] = globSync('src/host/**/*.ts', {cwd: project}).flatMap(file => {
  const source = ts.createSourceFile(file, readFileSync(join(project, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Call[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) found.push({file, name: node.expression.getText(), argument: node.arguments[0]});
    ts.forEachChild(node, look);
  };
  look(source);
  return found;
});

const isText = (node: ts.Node | undefined): node is ts.StringLiteralLike =>
  node !== undefined && ts.isStringLiteralLike(node);
const fields = (text: string) => text.match(/\{\d+\}/g)?.sort() ?? [];

it('the Chinese bundle has each text of the extension host, with its fields and icons, and no other', () => {
  const asked = calls.filter(({name}) => name === 'vscode.l10n.t');
  expect(asked.filter(({argument}) => !isText(argument)).map(({file}) => file)).toEqual([]);
  const texts = new Set(asked.flatMap(({argument}) => (isText(argument) ? [argument.text] : [])));
  const path = join(project, 'l10n', 'bundle.l10n.zh-cn.json');
  const chinese = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  expect(Object.keys(chinese).sort()).toEqual([...texts].sort());
  for (const [text, translated] of Object.entries(chinese)) {
    expect(fields(translated), text).toEqual(fields(text));
    expect(translated.match(/\$\([\w-]+\)/g), text).toEqual(text.match(/\$\([\w-]+\)/g));
  }
});

it('no sentence of a message is written where it cannot be translated', () => {
  const messages = calls.filter(({name}) => /^show(Error|Information|Warning)$/.test(name));
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter(({argument}) => isText(argument)).map(({file}) => file)).toEqual([]);
});
