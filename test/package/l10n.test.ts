import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import ts from 'typescript';
import {expect, it} from 'vitest';
import {chineseTexts} from '../support/translations.js';
import {project} from '../support/project.js';
import {tableTexts} from '../support/table-texts.js';

interface Call {
  readonly file: string;
  readonly name: string;
  readonly arguments: readonly ts.Expression[];
}

/** All calls in files, with what they are given. */
function callsIn(pattern: string): Call[] {
  return globSync(pattern, {cwd: project}).flatMap(file => {
    const source = ts.createSourceFile(file, readFileSync(join(project, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const found: Call[] = [];
    const look = (node: ts.Node): void => {
      if (ts.isCallExpression(node)) found.push({file, name: node.expression.getText(), arguments: node.arguments});
      ts.forEachChild(node, look);
    };
    look(source);
    return found;
  });
}
const ofHost = callsIn('src/host/**/*.ts');
const ofCore = callsIn('src/{core,engine,importers}/**/*.ts');
const ofWebviews = callsIn('webview/**/*.ts').filter(({file}) => !file.endsWith('/shared/translate.ts'));

function isText(node: ts.Node | undefined): node is ts.StringLiteralLike {
  return node !== undefined && ts.isStringLiteralLike(node);
}

/** Both texts of a condition, or the one that there is. */
function choices(node: ts.Expression): readonly ts.Expression[] {
  return ts.isConditionalExpression(node) ? [node.whenTrue, node.whenFalse].flatMap(choices) : [node];
}

/** What the core, the importers and the engine say: in calls of `say` and `template`. A call of `say` may say a template that stands elsewhere. */
const saidByCore = [...ofCore, ...ofHost]
  .filter(({name}) => name === 'say' || name === 'template')
  .map(call => ({...call, texts: call.arguments.slice(0, 1).flatMap(choices)}))
  .filter(({name, texts}) => name === 'template' || texts.some(isText));

/** Which arguments of the functions that make notes are texts. */
const textsOfNotes: Readonly<Record<string, readonly [from: number, to: number]>> = {
  noteOf: [1, 2],
  countedNote: [2, 4],
  wordingOf: [0, 1],
  countedWording: [1, 3],
};
const ofNotes = ofCore
  .filter(({name, file}) => Object.hasOwn(textsOfNotes, name) && !file.endsWith('/trace-note.ts'))
  .map(call => ({...call, texts: call.arguments.slice(...(textsOfNotes[call.name] ?? [0, 0]))}));

/** What is to be translated; `counted` has two texts after the count. */
const asked = [
  ...ofHost.filter(({name}) => name === 'vscode.l10n.t').map(call => ({...call, texts: call.arguments.slice(0, 1)})),
  ...ofWebviews.filter(({name}) => name === 't').map(call => ({...call, texts: call.arguments.slice(0, 1)})),
  ...saidByCore,
  ...[...ofCore, ...ofHost, ...ofWebviews]
    .filter(({name}) => name === 'counted')
    .map(call => ({...call, texts: call.arguments.slice(1, 3)})),
  ...ofNotes,
].flatMap(({file, texts}) => texts.map(text => ({file, text})));

const fields = (text: string) => [...new Set(text.match(/\{\d+\}/g))].sort();

it('the Chinese bundle has each text of the core, the importers, the engine, the extension host and the webviews, with its fields and icons, and no other', () => {
  expect(asked.filter(({text}) => !isText(text)).map(({file}) => file)).toEqual([]);
  const texts = new Set([...asked.flatMap(({text}) => (isText(text) ? [text.text] : [])), ...tableTexts()]);
  expect(Object.keys(chineseTexts).sort()).toEqual([...texts].sort());
  for (const [text, translated] of Object.entries(chineseTexts)) {
    expect(fields(translated), text).toEqual(fields(text));
    expect(translated.match(/\$\([\w-]+\)/g), text).toEqual(text.match(/\$\([\w-]+\)/g));
  }
});

it('no sentence of a message is written where it cannot be translated', () => {
  const messages = ofHost.filter(({name}) => /^show(Error|Information|Warning)$/.test(name));
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter(({arguments: [text]}) => isText(text)).map(({file}) => file)).toEqual([]);
});
