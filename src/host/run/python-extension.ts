import * as vscode from 'vscode';

/** The part of the Python extension's API that is used: https://github.com/microsoft/vscode-python-environments */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): {readonly path: string};
    resolveEnvironment(environment: {
      readonly path: string;
    }): Promise<{readonly executable: {readonly uri?: vscode.Uri}} | undefined>;
  };
}

/** Returns the interpreter selected in the Python extension; null without that extension. */
export async function selectedInterpreter(resource: vscode.Uri | undefined): Promise<string | null> {
  const extension = vscode.extensions.getExtension<unknown>('ms-python.python');
  if (!extension) return null;
  const api = await extension.activate();
  if (!hasEnvironments(api)) return null;
  const environment = api.environments.getActiveEnvironmentPath(resource);
  const resolved = await api.environments.resolveEnvironment(environment);
  return resolved?.executable.uri?.fsPath ?? environment.path;
}

function hasEnvironments(api: unknown): api is PythonApi {
  const environments = (api as {environments?: Partial<PythonApi['environments']>} | undefined)?.environments;
  return typeof environments?.getActiveEnvironmentPath === 'function';
}
