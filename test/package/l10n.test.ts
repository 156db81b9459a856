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

/** What `read` finds in each node of files. */
function inFiles<Found>(pattern: string, read: (node: ts.Node, file: string) => readonly Found[]): Found[] {
  return globSync(pattern, {cwd: project}).flatMap(file => {
    const source = ts.createSourceFile(file, readFileSync(join(project, file), 'utf8'), ts.ScriptTarget.Latest, true);
    const found: Found[] = [];
    const look = (node: ts.Node): void => {
      found.push(...read(node, file));
      ts.forEachChild(node, look);
    };
    look(source);
    return found;
  });
}

/** All calls in files, with what they are given. */
function callsIn(pattern: string): Call[] {
  return inFiles(pattern, (node, file) =>
    ts.isCallExpression(node) ? [{file, name: node.expression.getText(), arguments: node.arguments}] : [],
  );
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

/** What the API shows of an object, such as an entry of a list or a dialog. */
const shownMembers = new Set([
  ...['title', 'label', 'description', 'detail', 'tooltip', 'text'],
  ...['placeHolder', 'placeholder', 'prompt', 'openLabel', 'saveLabel'],
]);
/** Functions of the extension host that make entries and messages of texts. */
const showing = new Set(['plainText', 'plainLabel', 'section', 'grouped', 'tell']);
/** Texts that are the same in every language: the name, examples of what to type, and words of code. */
const sameEverywhere = new Set([
  ...['GPU Lens', 'mine:make', 'python train.py --batch-size {1,2,4}', '120-180.5 ms'],
  ...['progress', 'results'],
]);

/** What a node gives to be shown: a member's value, what a function is given, the message of an error. */
function given(node: ts.Node): readonly ts.Expression[] {
  if (ts.isPropertyAssignment(node)) return shownMembers.has(node.name.getText()) ? [node.initializer] : [];
  if (ts.isCallExpression(node)) return showing.has(node.expression.getText()) ? node.arguments : [];
  if (ts.isNewExpression(node))
    return node.expression.getText() === 'TraceError' ? (node.arguments ?? []).slice(1) : [];
  const isSet = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  return isSet && ts.isPropertyAccessExpression(node.left) && shownMembers.has(node.left.name.text) ? [node.right] : [];
}

/** The words of a text, with blanks for its values; empty for what is no text. */
function wordsOf(node: ts.Expression): string {
  if (!ts.isTemplateExpression(node)) return isText(node) ? node.text : '';
  return [node.head, ...node.templateSpans.map(({literal}) => literal)].map(({text}) => text).join(' ');
}

it('no text of a list, a dialog, a completion or an error of the extension host is written where it cannot be translated', () => {
  const all = inFiles('src/host/**/*.ts', (node, file) =>
    given(node)
      .flatMap(choices)
      .map(text => ({file, text: wordsOf(text)})),
  );
  expect(all.length).toBeGreaterThan(200);
  const untranslated = all.filter(
    ({text}) => !sameEverywhere.has(text) && /\p{L}{2}/u.test(text.replace(/\$\([\w~-]+\)/g, '')),
  );
  expect(untranslated).toEqual([]);
});
