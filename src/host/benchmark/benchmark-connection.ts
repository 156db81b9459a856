import * as vscode from 'vscode';
import {environmentLines} from '../../core/benchmark/environment-lines.js';
import {measuredCount} from '../../core/benchmark/sweep-record.js';
import {describeError} from '../../core/base/errors.js';
import type {
  BenchmarkContent,
  BenchmarkHostRequests,
  BenchmarkSource,
  BenchmarkViewRequests,
} from '../../protocol/benchmark-messages.js';
import {PageConnection} from '../views/page-connection.js';
import type {BenchmarkActions} from './benchmark-actions.js';
import type {BenchmarkRunner} from './benchmark-runner.js';
import {sweepKey, sweepSet, type BenchmarkSources} from './benchmark-sources.js';
import type {Log} from '../base/log.js';

/** The benchmark view's connection: answers its requests and sends it the content. */
export class BenchmarkConnection extends PageConnection<BenchmarkViewRequests, BenchmarkHostRequests> {
  #key: string | null = null;
  #sources: readonly BenchmarkSource[] = [];
  /** The folder of the sweep being measured. */
  #running: string | null = null;

  constructor(
    webview: vscode.Webview,
    private readonly runner: BenchmarkRunner,
    private readonly sources: BenchmarkSources,
    actions: BenchmarkActions,
    log: Log,
  ) {
    super(webview, log);
    this.#running = runner.sweep?.folder ?? null;
    const done = () => undefined;
    this.serve({
      'view/ready': async () => {
        this.isReady = true;
        this.#key ??= runner.sweep ? sweepKey(runner.sweep.folder) : sources.activeText;
        await this.#refresh();
        return undefined;
      },
      'benchmark/show': ({key}) => this.show(key).then(done),
      'benchmark/run': () => {
        void actions.run();
        return undefined;
      },
      'benchmark/go-on': ({key}) => {
        void actions.goOn(key);
        return undefined;
      },
      'benchmark/cancel': () => {
        runner.cancel();
        return undefined;
      },
      'benchmark/profile': ({key, id}) => actions.profile(key, id).then(done),
      'benchmark/environment': async ({key, id}) => {
        const result = (await sources.sweep(key))?.record.results.get(id);
        return result ? environmentLines(result) : [];
      },
      'benchmark/precision': ({key, id}) => actions.precision(key, id),
      'clipboard/write': async ({text}) => {
        await vscode.env.clipboard.writeText(text);
        return undefined;
      },
    });
    this.own(
      runner.onDidChange(what => {
        if (what === 'results') void this.#showRunning();
        else if (this.isReady && runner.sweep) {
          this.page.ask('benchmark/progress', runner.sweep.progress).catch(() => undefined);
        }
      }),
    );
  }

  /** Shows a source. */
  async show(key: string): Promise<void> {
    this.#key = key;
    if (this.isReady) await this.#refresh();
  }

  /** Shows a sweep when it begins; the user may switch to another one later. */
  async #showRunning(): Promise<void> {
    const folder = this.runner.sweep?.folder ?? null;
    const isNew = folder !== null && folder !== this.#running;
    this.#running = folder;
    if (isNew) this.#key = sweepKey(folder);
    if (!this.isReady) return;
    if (isNew) await this.#refresh();
    else await this.#send();
  }

  async #refresh(): Promise<void> {
    this.#sources = await this.sources.list();
    if (!this.#sources.some(({key}) => key === this.#key)) this.#key = this.#sources[0]?.key ?? null;
    await this.#send();
  }

  async #send(): Promise<void> {
    const content = await this.#content().catch((error: unknown) => {
      const note = describeError(error, 'bench/no-results').message;
      return {...nothing, sources: this.#sources, key: this.#key, sets: [{title: '', note, measurements: []}]};
    });
    // A hidden page does not answer; it asks again when shown.
    await this.page.ask('benchmark/content', content).catch(() => undefined);
  }

  async #content(): Promise<BenchmarkContent> {
    const key = this.#key;
    const shown = {sources: this.#sources, key};
    const text = key === null ? null : this.sources.text(key);
    if (text) return {...nothing, ...shown, kind: 'text', sets: text};
    const sweep = key === null ? null : await this.sources.sweep(key);
    if (!sweep) return {...nothing, ...shown};
    const {record, folder} = sweep;
    const running = this.runner.sweep;
    const isRunning = running?.folder === folder;
    return {
      ...nothing,
      ...shown,
      sets: [sweepSet(sweep)],
      progress: isRunning ? running.progress : null,
      canGoOn: !this.runner.isRunning && !record.isEnded && measuredCount(record) < record.pointCount,
      profiled: Array.from(record.profiles.keys()),
    };
  }
}

const nothing = {
  sources: [],
  key: null,
  kind: 'sweep',
  sets: [],
  progress: null,
  canGoOn: false,
  profiled: [],
} as const;
