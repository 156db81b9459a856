import * as vscode from 'vscode';
import {heatOfLine, hotLevel, type HeatLevel} from '../../core/lines/line-heat.js';
import type {LineTiming} from '../../core/lines/line-timings.js';
import {readSettings, type Settings} from '../base/settings.js';
import {annotationText} from './annotation-text.js';
import type {Annotations} from './annotations.js';
import {taggedDocuments} from './document-tags.js';
import type {UntaggedLines} from './untagged-lines.js';
import {RestTimer} from '../base/rest-timer.js';

/** VS Code moves existing marks during typing; they are rebuilt after this pause. */
const restMs = 100;

/**
 * Marks hot lines with bars in the gutter, a border and the overview ruler. Shows text at the line's end if CodeLens
 * is off, or for hot lines by setting. Figures from before an edit are dimmed, with hollow bars.
 */
export class LineMarks implements vscode.Disposable {
  readonly #types: ReadonlyMap<string, vscode.TextEditorDecorationType>;
  readonly #text = vscode.window.createTextEditorDecorationType({});
  readonly #listeners: vscode.Disposable;
  /** The latest marking of each editor; results of an earlier one are outdated. */
  readonly #latest = new WeakMap<vscode.TextEditor, object>();
  #isDisposed = false;
  readonly #rest = new RestTimer(restMs);

  constructor(
    private readonly annotations: Annotations,
    private readonly untagged: Pick<UntaggedLines, 'of'>,
    extensionUri: vscode.Uri,
  ) {
    const types = ([1, 2, 3, 4] as const).flatMap(level =>
      [false, true].map(isStale => [typeKey(level, isStale), createType(extensionUri, level, isStale)] as const),
    );
    this.#types = new Map(types);
    this.#listeners = vscode.Disposable.from(
      annotations.onDidChange(() => {
        this.#update();
      }),
      annotations.onDidEdit(() => {
        this.#rest.whenStill(() => {
          this.#update();
        });
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => {
        this.#update();
      }),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('editor.codeLens')) this.#update();
      }),
    );
    this.#update();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#rest.dispose();
    this.#listeners.dispose();
    this.#text.dispose();
    for (const type of this.#types.values()) type.dispose();
  }

  #update(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (vscode.languages.match(taggedDocuments, editor.document) > 0) void this.#mark(editor);
    }
  }

  async #mark(editor: vscode.TextEditor): Promise<void> {
    const {document} = editor;
    const marking = {};
    this.#latest.set(editor, marking);
    const lines = await this.annotations.of(document);
    const untagged = await this.untagged.of(document);
    if (this.#isDisposed || this.#latest.get(editor) !== marking) return;
    const settings = readSettings(document.uri);
    const isLensOff = !vscode.workspace.getConfiguration('editor', document).get('codeLens', true);
    const ofType = new Map<string, vscode.Range[]>();
    const texts: vscode.DecorationOptions[] = [];
    const add = (line: number, timing: LineTiming, isStale: boolean, text: string) => {
      if (line > document.lineCount) return;
      const range = document.lineAt(line - 1).range;
      const level = heatOfLine(timing);
      const key = typeKey(level, isStale);
      if (settings.marksLines && level > 0) ofType.set(key, [...(ofType.get(key) ?? []), range]);
      if (hasText(settings, isLensOff, timing, level)) texts.push(textAt(range, text, isStale));
    };
    for (const line of lines)
      add(line.tag.line, line.timing, line.isStale, annotationText(line, settings.lineStyle, settings.lineRanks));
    for (const {line, timing, text} of untagged) add(line, timing, false, text);
    for (const [key, type] of this.#types) editor.setDecorations(type, ofType.get(key) ?? []);
    editor.setDecorations(this.#text, texts);
  }
}

function hasText({endOfLine}: Settings, isLensOff: boolean, {nameCount}: LineTiming, level: HeatLevel): boolean {
  if (endOfLine === 'off' || nameCount === 0) return false;
  return isLensOff || (endOfLine === 'hot' && level >= hotLevel);
}

function textAt(range: vscode.Range, text: string, isStale: boolean): vscode.DecorationOptions {
  // Only CodeLens renders icons in its text.
  const contentText = text.replace('$(history)', '⟲');
  const color = new vscode.ThemeColor(isStale ? 'disabledForeground' : 'editorCodeLens.foreground');
  return {
    range: new vscode.Range(range.end, range.end),
    renderOptions: {
      after: {contentText, color, margin: '0 0 0 3em', fontStyle: isStale ? 'italic' : 'normal'},
    },
  };
}

function typeKey(level: HeatLevel, isStale: boolean): string {
  return `${String(level)} ${String(isStale)}`;
}

function createType(extensionUri: vscode.Uri, level: HeatLevel, isStale: boolean): vscode.TextEditorDecorationType {
  const name = `heat-${String(level)}${isStale ? '-stale' : ''}`;
  const icon = (theme: 'dark' | 'light') => vscode.Uri.joinPath(extensionUri, 'media', 'icons', `${name}-${theme}.svg`);
  const color = new vscode.ThemeColor(isStale ? 'gpuLens.staleHeat' : `gpuLens.heat${String(level)}`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    overviewRulerColor: color,
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    borderColor: color,
    borderStyle: isStale ? 'dashed' : 'solid',
    borderWidth: '0 0 0 2px',
    dark: {gutterIconPath: icon('dark')},
    light: {gutterIconPath: icon('light')},
  });
}
