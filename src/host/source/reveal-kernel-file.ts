import * as vscode from 'vscode';
import type {SliceArgument} from '../../core/questions/slice-details.js';
import {showPlace} from './reveal-source.js';
import type {SourcePaths} from './source-paths.js';
import type {WorkspaceIndex} from './workspace-index.js';

/**
 * Opens the file that a Triton kernel was compiled from, where the profile names it and it lies in the workspace: at the
 * kernel's definition, else at its top. False where it is not so; a user who was asked for a file and chose none is told
 * nothing.
 */
export type RevealKernelFile = (kernel: string, facts: readonly SliceArgument[]) => Promise<boolean>;

export function createRevealKernelFile(workspace: WorkspaceIndex, paths: SourcePaths): RevealKernelFile {
  return async (kernel, facts) => {
    const named = facts.find(({name}) => name === kernelFileArgument)?.value;
    if (named === undefined) return false;
    const file = await paths.find(named, await workspace.whenRead());
    if (file === undefined) return true;
    if (file === null) return false;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await showPlace(kernel, {file, line: definitionLine(document.getText(), kernel)});
    return true;
  };
}

/** What PyTorch calls it among the arguments of a compiled kernel's operator. */
const kernelFileArgument = 'kernel_file';

/** The line (from 1) of `def kernel(`, of the first function where none is called so, else 1. */
export function definitionLine(text: string, kernel: string): number {
  const lines = text.split('\n');
  const own = lines.findIndex(line => line.startsWith(`def ${kernel}(`));
  const first = own >= 0 ? own : lines.findIndex(line => line.startsWith('def '));
  return Math.max(0, first) + 1;
}
