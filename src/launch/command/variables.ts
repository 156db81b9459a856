import {basename, dirname, extname, relative, sep} from 'node:path';

/** What the variables of launch.json stand for. */
export interface VariableValues {
  readonly workspaceFolder: string;
  /** The file in the editor, null for none. */
  readonly file: string | null;
  readonly home: string;
  /** Null leaves the variables of the environment as they are: their values may be secrets. */
  readonly env: Readonly<Record<string, string | undefined>> | null;
  /** What the editor tells of the variables that it alone knows: `command:cmake.launchTargetPath`, `config:a.b`. */
  readonly editor?: ReadonlyMap<string, string>;
}

/**
 * A text with the variables of launch.json and tasks.json in their places; one that is not known here, or has no value
 * (`${file}` without an editor), stays as it is.
 *
 * @see https://code.visualstudio.com/docs/reference/variables-reference
 */
export function substituteVariables(text: string, values: VariableValues): string {
  return text.replace(/\$\{([^}]+)\}/g, (whole, name: string) => {
    if (name.startsWith('env:')) return values.env ? (values.env[name.slice(4)] ?? '') : whole;
    return values.editor?.get(name) ?? valueOf(name, values) ?? whole;
  });
}

/** The variables of a text that the editor alone knows, as `VariableValues.editor` names them. */
export function editorVariables(text: string): string[] {
  return [...text.matchAll(/\$\{((?:command|config):[^}]+)\}/g)].map(([, name = '']) => name);
}

/** The first variable that is left in a text whose variables were substituted, of those that VS Code has; null for none. */
export function leftVariable(text: string): string | null {
  const known =
    /\$\{(?:(?:input|command|config|workspaceFolder):[^}]+|(?:relativeF|f)ile\w*|lineNumber|selectedText)\}/;
  return known.exec(text)?.[0] ?? null;
}

function valueOf(name: string, {workspaceFolder, file, home}: VariableValues): string | null {
  switch (name) {
    case 'workspaceFolder':
    case 'workspaceRoot':
    case 'cwd':
      return workspaceFolder;
    case 'workspaceFolderBasename':
      return basename(workspaceFolder);
    case 'userHome':
      return home;
    case 'pathSeparator':
    case '/':
      return sep;
    default:
      return file === null ? null : fileValue(name, file, workspaceFolder);
  }
}

function fileValue(name: string, file: string, workspaceFolder: string): string | null {
  switch (name) {
    case 'file':
      return file;
    case 'fileDirname':
      return dirname(file);
    case 'fileBasename':
      return basename(file);
    case 'fileBasenameNoExtension':
      return basename(file, extname(file));
    case 'fileExtname':
      return extname(file);
    case 'relativeFile':
      return relative(workspaceFolder, file);
    case 'relativeFileDirname':
      return relative(workspaceFolder, dirname(file));
    default:
      return null;
  }
}
