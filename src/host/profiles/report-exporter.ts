import {basename, join} from 'node:path';
import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import {exportCommand} from '../../core/trace/nsys-report.js';
import {exportReport, reportVersion} from '../../launch/nsys/export-report.js';
import {readSettings} from '../base/settings.js';

/** The progress callbacks of an opening. */
interface ReadableOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Returns a file that the engine can read: the given one, or a report's export. */
export type MakeReadable = (path: string, options: ReadableOptions) => Promise<string>;

/**
 * Exports reports of Nsight Systems with the user's own nsys, into the extension's storage.
 *
 * @param onReport called after each report that was exported
 */
export function createReportExporter(storage: vscode.Uri, onReport: () => void): MakeReadable {
  return async (path, options) => {
    const version = await reportVersion(path);
    if (version === null) return path;
    if (!vscode.workspace.isTrusted) {
      const name = basename(path);
      throw new TraceError(
        'launch/no-nsys',
        vscode.l10n.t(
          '{0} is a report that only nsys can read, which GPU Lens runs only in a trusted workspace: trust this one, or run {1} and open the .sqlite file.',
          name,
          exportCommand(name),
        ),
      );
    }
    const {nsys, nsysLimitSeconds} = readSettings(vscode.Uri.file(path));
    const exported = await exportReport(path, version, {
      nsys: {setting: nsys},
      limitMs: nsysLimitSeconds * 1000,
      cacheFolder: join(storage.fsPath, 'reports'),
      ...options,
    });
    onReport();
    return exported;
  };
}
