import {SourceIndex} from '../../src/core/source/source-index.js';
import type {RecordedFiles} from '../../src/host/source/recorded-files.js';
import type {SourcePaths} from '../../src/host/source/source-paths.js';
import {EventEmitter} from './vscode-stand-in.js';

/** The mapping from paths in profiles to files of a workspace, and the objects that it uses. */
export interface FilesOfWorkspace {
  readonly files: RecordedFiles;
  readonly paths: SourcePaths;
  readonly index: SourceIndex;
  /** Reports that all files have been read. */
  readonly endReading: () => void;
}

/**
 * Returns the mapping for a workspace's files, for parts of the extension that are tested separately; `vscode` must be
 * the stand-in.
 *
 * @param sources the paths of its files
 */
export async function filesOfWorkspace(sources: readonly string[] = [], isRead = true): Promise<FilesOfWorkspace> {
  const {RecordedFiles: Files} = await import('../../src/host/source/recorded-files.js');
  const {SourcePaths: Paths} = await import('../../src/host/source/source-paths.js');
  const index = new SourceIndex();
  for (const path of sources) index.set(path, {tags: [], modules: [], compiled: []});
  const memory = new Map<string, unknown>();
  const update = (key: string, value: unknown) => Promise.resolve(void memory.set(key, value));
  const paths = new Paths({get: (key: string) => memory.get(key), update} as never);
  const changed = new EventEmitter();
  const workspace = {now: index, isRead, onDidChange: changed.event};
  const endReading = () => {
    workspace.isRead = true;
    changed.fire(undefined);
  };
  return {files: new Files(workspace as never, paths), paths, index, endReading};
}
