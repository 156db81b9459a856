import * as vscode from 'vscode';
import {jobPage} from '../../core/job/job-page.js';
import type {JobSection} from '../../core/job/rank-choices.js';
import {stepWindow, timelineWindow} from '../../core/job/timeline-window.js';
import type {JobContent, JobHostRequests, JobViewRequests} from '../../protocol/job-messages.js';
import type {Log} from '../base/log.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {PageConnection} from '../views/page-connection.js';
import type {ActiveJob, JobStore} from '../profiles/job-store.js';

/** What the view of a job needs of the extension. */
export interface JobConnectionServices {
  readonly jobs: JobStore;
  readonly store: ProfileStore;
  readonly log: Log;
  readonly openJob: () => Promise<void>;
  readonly showRank: (place: JobHostRequests['job/timeline']['params']) => Promise<void>;
}

/** The connection of the active job's page: answers its requests and sends it the content. */
export class JobConnection extends PageConnection<JobViewRequests, JobHostRequests> {
  /** The section to scroll to once the page is ready. */
  #section: JobSection | null = null;

  constructor(
    webview: vscode.Webview,
    private readonly services: JobConnectionServices,
  ) {
    super(webview, services.log);
    const {jobs, store, openJob, showRank} = services;
    this.serve({
      'view/ready': () => {
        this.isReady = true;
        this.#send();
        return undefined;
      },
      'job/open': () => {
        void openJob();
        return undefined;
      },
      'job/timeline': async place => {
        await showRank(place);
        return undefined;
      },
      'job/window': ({window, pixels}) => {
        const timeline = jobs.active?.timeline;
        const found = timeline && 'step' in window ? stepWindow(timeline, window.step) : window;
        return timeline && found && 'fromNs' in found ? timelineWindow(timeline, found, pixels) : null;
      },
      'clipboard/write': async ({text}) => {
        await vscode.env.clipboard.writeText(text);
        return undefined;
      },
      'job/copy': async () => {
        if (jobs.active) await vscode.env.clipboard.writeText(jobPage(jobs.active.view.report));
        return undefined;
      },
    });
    let shown = this.#shown();
    this.own(
      jobs.onDidChange(() => {
        this.#send();
      }),
      // A job is large: it is sent again only if another of its ranks is shown.
      store.onDidChange(() => {
        if (this.#shown() === shown) return;
        shown = this.#shown();
        this.#send();
      }),
    );
  }

  /** Scrolls to a section of the page once it is ready. */
  async showSection(section: JobSection): Promise<void> {
    this.#section = section;
    await this.#tellSection();
  }

  #shown(): number | null {
    const {jobs, store} = this.services;
    return store.activeOpen ? jobs.rankOf(store.activeOpen.path) : null;
  }

  #send(): void {
    const {active} = this.services.jobs;
    const content: JobContent = active ? {...contentOf(active), shown: this.#shown()} : {state: 'empty'};
    // A hidden page does not answer; it asks again when shown.
    if (!this.isReady) return;
    const sent = this.page.ask('job/content', content).then(() => this.#tellSection());
    sent.catch(() => undefined);
  }

  async #tellSection(): Promise<void> {
    const section = this.#section;
    if (section === null || !this.isReady) return;
    this.#section = null;
    await this.page.ask('job/section', {section}).catch(() => undefined);
  }
}

/** A job has many calls: the page asks for those of a window. */
function contentOf({key, name, view, timeline}: ActiveJob): Omit<Extract<JobContent, {state: 'open'}>, 'shown'> {
  const {fromNs, toNs, lanes, kinds, clocks} = timeline;
  return {state: 'open', key, name, view, timeline: {fromNs, toNs, lanes, kinds, clocks}};
}
