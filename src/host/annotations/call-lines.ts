import type * as vscode from 'vscode';
import type {CallLine} from '../../core/lines/call-lines.js';
import {LineAnswer, type LineServices} from './line-answer.js';

/** A line of a document, and whether the line pass recorded it. */
export interface ShownCallLine extends CallLine {
  readonly isPass: boolean;
}

/** Figures of ranges that the runner named after lines: those of the line pass, and automatic ones. */
export class CallLines {
  readonly #lines: LineAnswer<readonly CallLine[]>;

  constructor(private readonly services: LineServices) {
    this.#lines = new LineAnswer<readonly CallLine[]>(services, 'lines of calls', []);
  }

  /**
   * Returns the call lines of a document at their current place, from the top. If some lines of the line pass have GPU
   * work, those without are dropped.
   */
  async of(document: vscode.TextDocument): Promise<readonly ShownCallLine[]> {
    const {annotations, engine, files, store} = this.services;
    const profile = store.activeOpen;
    const sidecar = profile?.state.sidecar;
    if (!profile || !sidecar) return [];
    const isPass = sidecar.kind === 'lines';
    if (!isPass && sidecar.lines.length === 0) return [];
    const names = new Set(sidecar.lines.map(({name}) => name));
    const of = this.#lines.scopeFor(document, profile);
    const {id} = profile.state.summary;
    const lines = await this.#lines.to(profile, of, () => engine.ask('lines/calls', {profile: id, of}));
    const file = files.pathIn(lines, document.uri, profile);
    if (file === null) return [];
    const lineNow = await annotations.recordedLinesNow(document, profile);
    const own = lines.flatMap(one => {
      const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs} = one.timing;
      if (one.file !== file || (!isPass && !names.has(one.name))) return [];
      if (isPass && isGpuProfile && gpuWorkNs + backwardGpuWorkNs === 0) return [];
      const line = lineNow ? lineNow(one.line) : one.line;
      return line === null || line > document.lineCount ? [] : [{...one, line, isPass}];
    });
    return own.sort((a, b) => a.line - b.line);
  }
}
