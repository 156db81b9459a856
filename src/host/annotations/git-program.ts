import * as vscode from 'vscode';
import {findOnPath, isProgram} from '../../launch/programs/find-program.js';

/** The part of the Git extension's API that is used: https://github.com/microsoft/vscode/tree/main/extensions/git */
interface GitExtension {
  getAPI(version: 1): {readonly git: {readonly path: string}};
}

/** Returns the git that VS Code uses, else the one on PATH; null for none. */
export async function findGit(): Promise<string | null> {
  return (await gitOfEditor()) ?? findOnPath(process.platform === 'win32' ? 'git.exe' : 'git');
}

async function gitOfEditor(): Promise<string | null> {
  try {
    const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
    const path = extension ? (await extension.activate()).getAPI(1).git.path : '';
    return (await isProgram(path)) ? path : null;
  } catch {
    // The extension is disabled, or found no git.
    return null;
  }
}
