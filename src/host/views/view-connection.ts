import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import type {ProfileFindings} from '../../core/findings/findings-page.js';
import type {TableQuery} from '../../core/tabs/table-page.js';
import {tabNeeds} from '../../core/tabs/tab-list.js';
import {classesOfModules} from '../../core/source/module-forward.js';
import type {SketchPicture} from '../../core/questions/trace-sketch.js';
import type {LinkedView} from '../../core/layout/linked-view.js';
import type {EngineClient} from '../../engine/client.js';
import type {TableSidecar} from '../../protocol/engine-messages.js';
import type {
  AnyViewRequests,
  HostRequests,
  RowTarget,
  ShownRow,
  ViewCommand,
  ViewContent,
} from '../../protocol/view-messages.js';
import type {LinkEnd} from './timeline-links.js';
import type {ProfileTime} from '../profiles/profile-time.js';
import type {OpenProfile} from '../profiles/profile-store.js';
import {profileQueries} from './profile-queries.js';
import type {ViewActions} from './view-actions.js';
import {PageConnection} from './page-connection.js';
import {viewHandlers, type ViewHandlerServices} from './view-handlers.js';
import type {Log} from '../base/log.js';

/** Shows the subject of a table row in another view; `key` is the profile's. */
export type ShowRow = (key: number, row: ShownRow, target: RowTarget) => Promise<void>;

/** What a view needs from the extension. */
export interface ViewServices extends ViewHandlerServices {
  readonly engine: EngineClient;
  readonly log: Log;
  /** Runs the command behind a button; `uri` is the file that the view shows, if any. */
  readonly runCommand: (command: ViewCommand, uri: vscode.Uri | null) => void;
  readonly actions: ViewActions;
  /** Shows what holds a profile's memory at a time. */
  readonly showMemory: (time: ProfileTime) => Promise<void>;
  /** Shows the subject of a table row. */
  readonly showRow: ShowRow;
  readonly showTable: (tab: string) => Promise<void>;
  /** Returns the findings of a profile. */
  readonly findingsOf: (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileFindings>;
}

/** The connection of a webview: answers its requests and sends it the content. */
export class ViewConnection extends PageConnection<AnyViewRequests, HostRequests> {
  #hasContent = false;
  #whenReady: (() => void)[] = [];
  #link: LinkEnd | null = null;
  /** The partial picture that the view already has, so that progress updates need not repeat it. */
  #sentPicture: SketchPicture | undefined;

  constructor(
    webview: vscode.Webview,
    services: ViewServices,
    private readonly content: () => ViewContent,
    uri: vscode.Uri | null,
  ) {
    super(webview, services.log);
    const {store, jobs, scopes, engine} = services;
    const openOf = (key: number) => {
      const profile = store.byKey(key);
      if (!profile) throw new TraceError('profile/not-open', vscode.l10n.t('That profile is no longer open.'));
      return profile;
    };
    // An editor shows its own file, so files opened from it are shown in the panel.
    const openProfile = async (path: string) => {
      const isOpened = await services.openProfile(path);
      if (isOpened && uri !== null) services.runCommand('show-timeline', uri);
      return isOpened;
    };
    const profileOf = (key: number) => openOf(key).state.summary.id;
    const sidecarFor = (key: number, {tab}: TableQuery): TableSidecar => {
      const state = store.byKey(key)?.state;
      return {
        ...(tabNeeds(tab, 'kernelLines') && {kernels: state?.kernels ?? []}),
        ...(tabNeeds(tab, 'moduleClasses') && {moduleClasses: classesOfModules(state?.sidecar?.modules ?? [])}),
      };
    };
    this.serve({
      'view/ready': () => {
        void this.#becomeReady();
        return undefined;
      },
      'view/command': ({command}) => {
        services.runCommand(command, uri);
        return undefined;
      },
      ...profileQueries(engine, profileOf),
      ...viewHandlers({...services, openProfile}),
      'tables/page': ({key, ...page}) =>
        engine.ask('tables/page', {profile: profileOf(key), ...page, ...sidecarFor(key, page.query)}),
      'tables/chart': ({key, ...chart}) =>
        engine.ask('tables/chart', {profile: profileOf(key), ...chart, ...sidecarFor(key, chart.query)}),
      'tables/copy': async ({key, query, format}) => {
        return services.actions.copy(
          await engine.ask('tables/text', {profile: profileOf(key), query, format, ...sidecarFor(key, query)}),
        );
      },
      'tables/show': async ({key, row, in: target}) => {
        profileOf(key);
        await services.showRow(key, row, target);
        return undefined;
      },
      'tables/durations': ({key, row: {kind, ...row}}) =>
        engine.ask('tables/durations', {profile: profileOf(key), row: kind, ...row}),
      'tables/open': async ({tab}) => {
        await services.showTable(tab);
        return undefined;
      },
      'summary/findings': ({key}, {signal}) => services.findingsOf(openOf(key), signal),
      'memory/show': async ({key, ...time}) => {
        await services.showMemory({profile: openOf(key), ...time});
        return undefined;
      },
      'timeline/show': target => services.actions.showInTimeline(target),
      'timeline/linked': async view => {
        await this.#link?.moved(view);
        return undefined;
      },
      'timeline/unlink': () => {
        this.#link?.end();
        return undefined;
      },
      'clipboard/write': ({text}) => services.actions.copy(text),
      'file/save': file => services.actions.save(file, store.active?.path ?? null),
    });
    const sendAgain = () => {
      if (this.isReady) void this.#send();
    };
    this.own(
      store.onDidChange(sendAgain),
      scopes.onDidChange(sendAgain),
      jobs.onDidChange(() => this.tell('ranks/changed', undefined)),
    );
  }

  /** Sends the view a request once its scripts run. The protocol defines which view takes which request. */
  async ask<K extends keyof AnyViewRequests>(method: K, params: AnyViewRequests[K]['params']): Promise<void> {
    await this.whenShown();
    await this.page.ask(method, params);
  }

  /** Resolves once the page runs and shows its content; stays pending while the view is hidden or its page fails. */
  whenShown(): Promise<void> {
    if (this.#hasContent) return Promise.resolve();
    return new Promise<void>(resolve => this.#whenReady.push(resolve));
  }

  /** Links this view's timeline with another one, replacing the previous link; null ends the link. */
  linkWith(link: LinkEnd | null): void {
    const before = this.#link;
    this.#link = null;
    before?.end();
    this.#link = link;
    if (this.#hasContent) this.#sendLink();
  }

  /** Sends a linked timeline the visible range of the other one. A hidden view gets it when shown again. */
  async follow(view: LinkedView): Promise<void> {
    // A view that was hidden or closed meanwhile has nothing to move.
    if (this.#hasContent) await this.page.ask('timeline/linked', view).catch(() => undefined);
  }

  override dispose(): void {
    this.#link?.end();
    super.dispose();
  }

  #sendLink(): void {
    this.page.ask('timeline/link', {link: this.#link?.shown() ?? null}).catch(() => undefined);
  }

  override becomeHidden(): void {
    super.becomeHidden();
    this.#hasContent = false;
  }

  /** Requests to the view wait until it shows its content: a place in a profile needs the profile. */
  async #becomeReady(): Promise<void> {
    // From here on every change is sent. Messages keep their order, so the last one sent is shown.
    this.isReady = true;
    this.#sentPicture = undefined;
    if (!(await this.#send())) return;
    this.#hasContent = true;
    if (this.#link) this.#sendLink();
    for (const resolve of this.#whenReady) resolve();
    this.#whenReady = [];
  }

  /** Returns whether the view received the content. A closed or hidden view does not answer, which is no failure. */
  #send(): Promise<boolean> {
    return this.page.ask('view/content', this.#newContent()).then(
      () => true,
      () => false,
    );
  }

  #newContent(): ViewContent {
    const content = this.content();
    if (content.state !== 'opening' || !content.picture) return content;
    const {picture, ...progress} = content;
    if (picture === this.#sentPicture) return progress;
    this.#sentPicture = picture;
    return content;
  }
}
