/**
 * The part of VS Code's API that annotations of lines use, for programs that measure them without an editor: its
 * effects are real, but nothing is shown.
 */
type Listener = (value: unknown) => unknown;

export class EventEmitter {
  readonly #listeners = new Set<Listener>();

  readonly event = (listener: Listener, self?: unknown): {dispose: () => void} => {
    const bound: Listener = value => listener.call(self, value);
    this.#listeners.add(bound);
    return {dispose: () => this.#listeners.delete(bound)};
  };

  fire(value: unknown): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class Disposable {
  constructor(readonly dispose: () => void) {}

  static from(...disposables: readonly {dispose: () => unknown}[]): Disposable {
    return new Disposable(() => {
      for (const disposable of disposables) disposable.dispose();
    });
  }
}

/** Cancels the operations that have its token. */
export class CancellationTokenSource {
  readonly #ended = new EventEmitter();
  readonly token = {onCancellationRequested: this.#ended.event};

  cancel(): void {
    this.#ended.fire(undefined);
  }

  dispose(): void {
    this.#ended.dispose();
  }
}

export const TextEditorSelectionChangeKind = {Keyboard: 1, Mouse: 2, Command: 3} as const;

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: unknown,
  ) {}
}

export class FileDecoration {
  constructor(
    readonly badge: string,
    readonly tooltip: string,
  ) {}
}

export const changes = new EventEmitter();
/** Notebooks that are closed. */
export const closedNotebooks = new EventEmitter();
/** Fires when the workspace becomes trusted. */
export const trusted = new EventEmitter();
const never = new EventEmitter().event;

/** A folder of a workspace. */
export interface Folder {
  readonly uri: {readonly path: string; readonly fsPath: string};
}

export const Uri = {
  parse: (text: string): {readonly text: string} => ({text}),
  joinPath: ({fsPath}: {readonly fsPath: string}, ...parts: readonly string[]): object => {
    const path = [fsPath, ...parts].join('/');
    return {path, fsPath: path, scheme: 'file'};
  },
  file: (path: string): {path: string; fsPath: string} => ({path, fsPath: path}),
};

export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string,
  ) {}
}

const executeCommand: (...given: readonly unknown[]) => Promise<void> = () => Promise.resolve();
export const commands = {executeCommand};

export const extensions = {getExtension: (): undefined => undefined};

/** The settings, by name without the extension's prefix; none at first. */
export const settings = new Map<string, unknown>();

export const workspace = {
  isTrusted: true,
  workspaceFolders: [] as readonly Folder[],
  textDocuments: [],
  onDidChangeTextDocument: changes.event,
  onDidCloseTextDocument: never,
  onDidCloseNotebookDocument: closedNotebooks.event,
  onDidChangeWorkspaceFolders: never,
  onDidChangeConfiguration: never,
  onDidGrantWorkspaceTrust: trusted.event,
  createFileSystemWatcher: (): object => ({
    ...{onDidCreate: never, onDidChange: never, onDidDelete: never},
    dispose: () => undefined,
  }),
  getWorkspaceFolder: ({fsPath}: {readonly fsPath: string}): Folder | undefined =>
    workspace.workspaceFolders.find(({uri}) => fsPath.startsWith(`${uri.fsPath}/`)),
  asRelativePath: (path: string): string => path,
  getConfiguration: (): {get: (key: string) => unknown} => ({get: key => settings.get(key)}),
};

export enum DiagnosticSeverity {
  Error,
  Warning,
  Information,
  Hint,
}

export class Diagnostic {
  source = '';
  code = '';

  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: DiagnosticSeverity,
  ) {}
}

const visibility = new EventEmitter();
/** The tree view that was created last. */
export const treeView = {
  ...{message: '', selection: [] as readonly unknown[], visible: true},
  onDidChangeVisibility: visibility.event,
  dispose: (): void => undefined,
  /** Shows or hides the view, as the user does. */
  show: (visible: boolean): void => {
    if (visible === treeView.visible) return;
    treeView.visible = visible;
    visibility.fire({visible});
  },
};

export enum TreeItemCollapsibleState {
  None,
  Collapsed,
  Expanded,
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export const CodeActionKind = {QuickFix: 'quickfix'};

export class CodeAction {
  constructor(
    readonly title: string,
    readonly kind: string,
  ) {}
}

export class TreeItem {
  constructor(
    readonly label: string,
    readonly collapsibleState: TreeItemCollapsibleState,
  ) {}
}

export const window = {
  visibleTextEditors: [] as {readonly document: unknown}[],
  onDidChangeVisibleTextEditors: never,
  createTreeView: (): typeof treeView => treeView,
  registerTreeDataProvider: (): {dispose: () => void} => ({dispose: () => undefined}),
  /** Messages and questions shown to the user. */
  told: [] as string[],
  /** The button that the user presses, and the entry that the user picks. */
  presses: undefined as string | undefined,
  picks: (items: readonly unknown[]): unknown => items[0],
  showInformationMessage: (text: string): Promise<string | undefined> => {
    window.told.push(text);
    return Promise.resolve(window.presses);
  },
  showWarningMessage: (text: string): Promise<string | undefined> => window.showInformationMessage(text),
  showErrorMessage: (text: string): Promise<string | undefined> => window.showInformationMessage(text),
  showQuickPick: (items: readonly unknown[]): Promise<unknown> => Promise.resolve(window.picks(items)),
  onDidChangeTextEditorSelection: never,
};

export const languages = {
  createDiagnosticCollection: (): Map<unknown, unknown> & {dispose: () => void} =>
    Object.assign(shownDiagnostics, {dispose: () => undefined}),
  registerCodeActionsProvider: (): {dispose: () => void} => ({dispose: () => undefined}),
};

/** The diagnostics of each document, by its URI. */
export const shownDiagnostics = new Map<unknown, unknown>();

/** A document that is edited by `replace`, which notifies listeners as an editor does. */
export class TextDocument {
  readonly languageId = 'python';
  readonly isClosed = false;
  version = 1;
  #lines: string[];

  constructor(
    readonly uri: {readonly path: string; readonly scheme: string; readonly fsPath: string},
    text: string,
  ) {
    this.#lines = text.split('\n');
  }

  get lineCount(): number {
    return this.#lines.length;
  }

  getText(): string {
    return this.#lines.join('\n');
  }

  lineAt(line: number): {text: string; range: Range; firstNonWhitespaceCharacterIndex: number} {
    const text = this.#lines[line] ?? '';
    const range = new Range(new Position(line, 0), new Position(line, text.length));
    return {text, range, firstNonWhitespaceCharacterIndex: text.length - text.trimStart().length};
  }

  positionAt(offset: number): Position {
    const before = this.getText().slice(0, offset).split('\n');
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }

  /** Inserts `text` at a place; returns how long the listeners take, in ms. */
  insert(line: number, character: number, text: string): number {
    const before = this.#lines[line] ?? '';
    const rangeOffset = this.#lines.slice(0, line).reduce((sum, {length}) => sum + length + 1, 0) + character;
    this.#lines.splice(line, 1, ...(before.slice(0, character) + text + before.slice(character)).split('\n'));
    this.version++;
    const position = new Position(line, character);
    const change = {range: new Range(position, position), rangeOffset, rangeLength: 0, text};
    const beginMs = performance.now();
    changes.fire({document: this, contentChanges: [change]});
    return performance.now() - beginMs;
  }
}

export class MarkdownString {
  isTrusted: unknown = false;

  constructor(public value = '') {}

  appendText(text: string): this {
    this.value += text;
    return this;
  }
}

export class Hover {
  constructor(
    readonly contents: MarkdownString,
    readonly range: unknown,
  ) {}
}

/** Texts in their original language, with their fields filled. */
export const l10n = {
  t: (message: string, ...fields: readonly string[]): string =>
    message.replace(/\{(\d+)\}/g, (field, at: string) => fields[Number(at)] ?? field),
};
