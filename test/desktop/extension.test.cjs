// Runs in the extension host of a desktop VS Code: see scripts/test-desktop.mjs.
const assert = require('node:assert/strict');
const {copyFileSync} = require('node:fs');
const vscode = require('vscode');
const {expected, useApi} = require('./use-api.cjs');

describe('GPU Lens in a desktop VS Code', () => {
  it('has every command of its manifest once it is active', async () => {
    const extension = vscode.extensions.getExtension('gpu-lens.gpu-lens');
    await extension.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const wanted = extension.packageJSON.contributes.commands.map(({command}) => command);
    assert.deepEqual(
      wanted.filter(command => !registered.has(command)),
      [],
    );
  });

  it('answers another extension', async () => {
    const {figures, ...answer} = await useApi(vscode, vscode.workspace.workspaceFolders[0].uri);
    assert.deepEqual(answer, expected);
    assert.deepEqual(figures.names, ['computing softmax']);
    assert.ok(figures.cpuWallNs > 0);
  });

  it('writes CodeLenses above the lines of the profile', async () => {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, 'model.py');
    await vscode.window.showTextDocument(uri);
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 100);
    assert.ok(lenses.some(({range}) => range.start.line === 42));
  });

  it('opens a copy of the profile in the timeline’s editor', async () => {
    const [{uri: folder}] = vscode.workspace.workspaceFolders;
    const copy = vscode.Uri.joinPath(folder, 'copy.pt.trace.json.gz');
    copyFileSync(vscode.Uri.joinPath(folder, 'profile', 'train.pt.trace.json.gz').fsPath, copy.fsPath);
    await vscode.commands.executeCommand('vscode.open', copy);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.input.viewType, 'gpuLens.trace');
  });
});
