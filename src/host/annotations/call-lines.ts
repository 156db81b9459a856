import type * as vscode from 'vscode';
import type {CallLine} from '../../core/queries/call-lines.js';
import {LineAnswer, type LineServices} from './line-answer.js';

/** What the trace of the line pass tells of the lines of documents: the calls of torch on each. */
export class CallLines {
  readonly #lines: LineAnswer<readonly CallLine[]>;

  constructor(private readonly services: LineServices) {
    this.#lines = new LineAnswer<readonly CallLine[]>(services, 'lines of calls', []);
  }

  /** Those of a document, wherever they stand now, from the top; lines without GPU work are left out where there is some. */
  async of(document: vscode.TextDocument): Promise<readonly CallLine[]> {
    const {annotations, engine, files, store} = this.services;
    const profile = store.activeOpen;
    if (profile?.state.sidecar?.kind !== 'lines') return [];
    const of = this.#lines.scopeFor(document, profile);
    const {id} = profile.state.summary;
    const lines = await this.#lines.to(profile, of, () => engine.ask('lines/calls', {profile: id, of}));
    const file = files.pathIn(lines, document.uri, profile);
    if (file === null) return [];
    const lineNow = await annotations.recordedLinesNow(document, profile);
    const own = lines.flatMap(one => {
      const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs} = one.timing;
      if (one.file !== file || (isGpuProfile && gpuWorkNs + backwardGpuWorkNs === 0)) return [];
      const line = lineNow ? lineNow(one.line) : one.line;
      return line === null || line > document.lineCount ? [] : [{...one, line}];
    });
    return own.sort((a, b) => a.line - b.line);
  }
}
