import {relative} from 'node:path';
import * as vscode from 'vscode';
import {readDefinition, taskType} from '../../launch/command/profile-definition.js';
import {showFailure, type Log} from '../base/log.js';
import {createProvidedTask, type TaskSurroundings} from './profile-task.js';

/** In a workspace with more scripts, the others are found in its list of files; the log says so. */
const mostScripts = 20;
const mostFiles = 400;
const mostBytes = 256 * 1024;
const skipped = '**/{node_modules,.venv,venv,env,site-packages,build,dist,.git,.gpu-lens}/**';

/** Offers a task for each script of the workspace that uses torch, and runs those of tasks.json. */
export class ProfileTaskProvider implements vscode.TaskProvider {
  #isCutTold = false;

  constructor(
    private readonly surroundings: TaskSurroundings,
    private readonly log: Log,
  ) {}

  async provideTasks(token: vscode.CancellationToken): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted) return [];
    const files = await vscode.workspace.findFiles('**/*.py', skipped, mostFiles + 1, token);
    const tasks: vscode.Task[] = [];
    let isCut = files.length > mostFiles;
    for (const file of files.slice(0, mostFiles).sort((a, b) => a.fsPath.localeCompare(b.fsPath))) {
      if (token.isCancellationRequested) break;
      const folder = vscode.workspace.getWorkspaceFolder(file);
      if (!folder || !(await looksLikeTraining(file))) continue;
      if (tasks.length === mostScripts) {
        isCut = true;
        break;
      }
      const script = relative(folder.uri.fsPath, file.fsPath);
      tasks.push(await createProvidedTask({type: taskType, script}, folder, this.surroundings));
    }
    if (isCut) this.#tellCut();
    return tasks;
  }

  /** Logs once that there may be more: VS Code asks for tasks repeatedly. */
  #tellCut(): void {
    if (this.#isCutTold) return;
    this.#isCutTold = true;
    this.log.info(
      `Scripts are offered as tasks up to ${String(mostScripts)}, of ${String(mostFiles)} Python files at most: “Profile model step” runs the file in the editor, and any other.`,
    );
  }

  async resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const folder = isFolder(task.scope) ? task.scope : vscode.workspace.workspaceFolders?.[0];
    const resolved = await createProvidedTask(readDefinition(task.definition), folder, this.surroundings).catch(
      async (error: unknown) => {
        await showFailure(this.log, error);
        return undefined;
      },
    );
    if (!resolved) return undefined;
    // VS Code matches a resolved task by its definition, which must be the same object.
    const {name, source, execution, problemMatchers} = resolved;
    return new vscode.Task(
      task.definition,
      task.scope ?? vscode.TaskScope.Workspace,
      task.name || name,
      source,
      execution,
      problemMatchers,
    );
  }
}

/** Returns whether a script imports torch and does something when run: it takes steps, or has a main part. */
async function looksLikeTraining(file: vscode.Uri): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(file).then(
    content => content,
    () => null,
  );
  if (!bytes || bytes.length > mostBytes) return false;
  const text = new TextDecoder().decode(bytes);
  return /^\s*(?:import|from)\s+torch\b/m.test(text) && /__name__\s*==\s*['"]__main__|\.step\(\)/.test(text);
}

function isFolder(scope: vscode.Task['scope']): scope is vscode.WorkspaceFolder {
  return typeof scope === 'object';
}
