import {basename, extname} from 'node:path';
import * as vscode from 'vscode';
import {askOne, askSome, askText} from '../base/ask.js';
import {badConfig} from '../../core/benchmark/config-fields.js';
import {modelSizes} from '../../core/benchmark/model-sizes.js';
import {passes, precisions} from '../../core/benchmark/sweep-config.js';
import {splitArguments} from '../../launch/command/argument-text.js';

/** A sweep in the form of a config file. */
export interface GivenSweep {
  readonly given: unknown;
  readonly name: string;
}

/**
 * Returns the sweep in a file, or one that the user configures; undefined if the user cancels. @throws TraceError
 * `bench/bad-config`
 */
export async function askSweep(file: vscode.Uri | null): Promise<GivenSweep | undefined> {
  if (file) return readSweepFile(file);
  const kinds = [
    {
      label: vscode.l10n.t('Reference Transformer'),
      detail: vscode.l10n.t('Sizes × context lengths × passes × precisions'),
      ask: askReference,
    },
    {
      label: vscode.l10n.t('A function of mine…'),
      detail: vscode.l10n.t('module:function returns the step to measure'),
      ask: askCallable,
    },
    {
      label: vscode.l10n.t('A command…'),
      detail: vscode.l10n.t('Whole runs, with {1,2,4} in its arguments for one of several values'),
      ask: askCommand,
    },
    {
      label: vscode.l10n.t('A sweep in a file…'),
      detail: vscode.l10n.t('JSON: docs/benchmarks.md has its fields'),
      ask: askFile,
    },
  ];
  const kind = await askOne(kinds, {
    title: vscode.l10n.t('Run benchmark'),
    placeHolder: vscode.l10n.t('What to measure'),
  });
  return kind?.ask();
}

async function askReference(): Promise<GivenSweep | undefined> {
  const shapes = modelSizes.map(({name, dModel, layers}) => ({
    label: name,
    description: vscode.l10n.t('d_model {0}, {1} layers', String(dModel), String(layers)),
  }));
  const sizes = await pickSome(vscode.l10n.t('Sizes'), shapes, ['small']);
  const lengths =
    sizes &&
    (await pickSome(vscode.l10n.t('Context lengths'), labels(['128', '256', '512', '1024', '2048']), ['128', '256']));
  const chosen = lengths && (await pickSome(vscode.l10n.t('Passes'), labels(passes), ['forward', 'forward+backward']));
  const kinds = chosen && (await pickSome(vscode.l10n.t('Precisions'), labels(precisions), ['fp32']));
  if (!kinds) return undefined;
  const given = {sizes, contextLengths: lengths.map(Number), passes: chosen, precisions: kinds};
  return {given, name: sizes.join(' ')};
}

async function askCallable(): Promise<GivenSweep | undefined> {
  const callable = await askText({
    title: vscode.l10n.t('Run benchmark'),
    prompt: vscode.l10n.t('The function that returns the step: module:function, or path/to/file.py:function.'),
    placeHolder: 'mine:make',
    validateInput: text => (/^[^:].*:[\w.]+$/.test(text) ? null : vscode.l10n.t('Write module:function.')),
  });
  return callable === undefined ? undefined : {given: {callable}, name: callable};
}

async function askCommand(): Promise<GivenSweep | undefined> {
  const line = await askText({
    title: vscode.l10n.t('Run benchmark'),
    prompt: vscode.l10n.t('As on a command line; {1,2,4} stands for one of several values. No shell reads it.'),
    placeHolder: 'python train.py --batch-size {1,2,4}',
  });
  const command = line === undefined ? [] : splitArguments(line);
  return command.length === 0 ? undefined : {given: {command}, name: basename(command[1] ?? command[0] ?? '')};
}

async function askFile(): Promise<GivenSweep | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Sweep to measure'),
      openLabel: vscode.l10n.t('Measure'),
      ...(folder && {defaultUri: folder}),
      filters: {JSON: ['json']},
    })) ?? [];
  return file && readSweepFile(file);
}

async function readSweepFile(file: vscode.Uri): Promise<GivenSweep> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const name = basename(file.fsPath, extname(file.fsPath));
  try {
    return {given: JSON.parse(text) as unknown, name};
  } catch (error) {
    throw badConfig(`${basename(file.fsPath)} is no JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function labels(texts: readonly string[]): vscode.QuickPickItem[] {
  return texts.map(label => ({label}));
}

/** Asks for one or more of several; undefined if the user cancels or picks none. */
async function pickSome(
  title: string,
  items: readonly vscode.QuickPickItem[],
  picked: readonly string[],
): Promise<string[] | undefined> {
  const chosen = await askSome(
    items.map(item => ({...item, picked: picked.includes(item.label)})),
    {title: vscode.l10n.t('Run benchmark: {0}', title)},
  );
  return chosen && chosen.length > 0 ? chosen.map(({label}) => label) : undefined;
}
