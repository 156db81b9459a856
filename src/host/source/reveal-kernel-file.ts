import * as vscode from 'vscode';
import type {SliceArgument} from '../../core/questions/slice-details.js';
import {showPlace} from './reveal-source.js';
import type {SourcePaths} from './source-paths.js';
import type {WorkspaceIndex} from './workspace-index.js';

/**
 * Opens the workspace file from which a Triton kernel was compiled, if the profile names it: at the kernel's
 * definition, else at its top. Returns false if there is no such file. If the user was asked for a file and chose
 * none, shows no message.
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

/** PyTorch's name of the file among the arguments of a compiled kernel's operator. */
const kernelFileArgument = 'kernel_file';

/** Returns the line (from 1) of `def kernel(`, else of the first function, else 1. */
export function definitionLine(text: string, kernel: string): number {
  const lines = text.split('\n');
  const own = lines.findIndex(line => line.startsWith(`def ${kernel}(`));
  const first = own >= 0 ? own : lines.findIndex(line => line.startsWith('def '));
  return Math.max(0, first) + 1;
}
