import * as vscode from 'vscode';
import type {
  ComparisonContent,
  ComparisonHostRequests,
  ComparisonViewRequests,
} from '../../protocol/comparison-messages.js';
import type {Log} from '../base/log.js';
import type {ViewActions} from './view-actions.js';
import {PageConnection} from './page-connection.js';

/** The content of the comparison page; it outlives the page. */
export class ShownComparison implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #content: ComparisonContent = {state: 'empty'};

  get content(): ComparisonContent {
    return this.#content;
  }

  show(content: ComparisonContent): void {
    this.#content = content;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** The connection of the comparison page: sends it the content, and carries out its buttons. */
export class ComparisonConnection extends PageConnection<ComparisonViewRequests, ComparisonHostRequests> {
  constructor(
    webview: vscode.Webview,
    shown: ShownComparison,
    actions: Pick<ViewActions, 'copy' | 'save'> & {
      readonly showBothTimelines: () => Promise<void>;
      readonly chooseShapes: (isByShapes: boolean) => Promise<boolean>;
    },
    log: Log,
  ) {
    super(webview, log);
    const send = () => {
      // A hidden page does not answer; it asks again when shown.
      if (this.isReady) this.page.ask('comparison/content', shown.content).catch(() => undefined);
    };
    this.serve({
      'view/ready': () => {
        this.isReady = true;
        send();
        return undefined;
      },
      'timelines/show': async () => {
        await actions.showBothTimelines();
        return undefined;
      },
      'shapes/choose': ({isByShapes}) => actions.chooseShapes(isByShapes),
      'clipboard/write': ({text}) => actions.copy(text),
      'file/save': file => actions.save(file, null),
    });
    this.own(shown.onDidChange(send));
  }
}
