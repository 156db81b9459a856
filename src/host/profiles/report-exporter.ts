import {basename, join} from 'node:path';
import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import {exportCommand} from '../../core/trace/nsys-report.js';
import {exportReport, reportVersion} from '../../launch/nsys/export-report.js';
import {readSettings} from '../base/settings.js';

/** What an opening tells on its way. */
interface ReadableOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** A file that the engine can read instead of the one that was asked for: that one, or the export of a report. */
export type MakeReadable = (path: string, options: ReadableOptions) => Promise<string>;

/**
 * Exports reports of Nsight Systems by the user's own nsys, into the extension's storage.
 *
 * @param onReport called behind each report that could be exported
 */
export function createReportExporter(storage: vscode.Uri, onReport: () => void): MakeReadable {
  return async (path, options) => {
    const version = await reportVersion(path);
    if (version === null) return path;
    if (!vscode.workspace.isTrusted) {
      const name = basename(path);
      throw new TraceError(
        'launch/no-nsys',
        `${name} is a report that only nsys can read, which GPU Lens runs only in a trusted workspace: trust this one, or run ${exportCommand(name)} and open the .sqlite file.`,
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
