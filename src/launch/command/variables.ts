import {basename, dirname, extname, relative, sep} from 'node:path';

/** The values of the variables of launch.json. */
export interface VariableValues {
  readonly workspaceFolder: string;
  /** The file in the editor, null for none. */
  readonly file: string | null;
  readonly home: string;
  /** Null leaves environment variables unsubstituted: their values may be secrets. */
  readonly env: Readonly<Record<string, string | undefined>> | null;
  /** Values of variables that only the editor can resolve: `command:cmake.launchTargetPath`, `config:a.b`. */
  readonly editor?: ReadonlyMap<string, string>;
}

/**
 * Returns a text with the variables of launch.json and tasks.json substituted. A variable that is unknown here or has
 * no value (`${file}` without an editor) is left unchanged.
 *
 * @see https://code.visualstudio.com/docs/reference/variables-reference
 */
export function substituteVariables(text: string, values: VariableValues): string {
  return text.replace(/\$\{([^}]+)\}/g, (whole, name: string) => {
    if (name.startsWith('env:')) return values.env ? (values.env[name.slice(4)] ?? '') : whole;
    return values.editor?.get(name) ?? valueOf(name, values) ?? whole;
  });
}

/** Returns the variables in a text that only the editor can resolve, as `VariableValues.editor` names them. */
export function editorVariables(text: string): string[] {
  return [...text.matchAll(/\$\{((?:command|config):[^}]+)\}/g)].map(([, name = '']) => name);
}

/** Returns the first VS Code variable left in a text after substitution; null for none. */
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
