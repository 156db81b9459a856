import {comparisonHtml} from '../../src/core/compare/comparison-html.js';
import {comparisonPage} from '../../src/core/compare/comparison-page.js';
import {summaryLines} from '../../src/core/compare/comparison-text.js';
import {matrixPage} from '../../src/core/compare/matrix-sections.js';
import type {
  ComparisonContent,
  ComparisonHostRequests,
  ComparisonViewRequests,
} from '../../src/protocol/comparison-messages.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import type {RowGridContext} from '../shared/grid/row-grid.js';
import type {Host} from '../shared/host.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {storedChoices, storeChoices} from '../shared/stored-members.js';
import {TabBar} from '../shared/tab-bar.js';
import {counted, t} from '../shared/translate.js';
import {button, checkbox} from '../shared/ui.js';
import {changeTables} from './change-tables.js';
import {DifferenceFlame} from './difference-flame.js';
import {matrixTables} from './matrix-tables.js';

const tabs = [
  {id: 'changes', title: t('Changes'), about: t('The rows that changed most')},
  {id: 'flame', title: t('Flame Graph'), about: t('Both runs as one flame graph')},
] as const;

type ComparedPair = Extract<ComparisonContent, {state: 'pair'}>;

/** Shows two or more runs side by side: the verdict, the changes, and the flame graph of the change. */
export class ComparisonView {
  readonly #title = element('span', {className: 'title'});
  readonly #said = element('span', {className: 'muted', attributes: {'aria-live': 'polite'}});
  readonly #save = button(t('Save as HTML…'), () => void this.#saveHtml(), 'icon');
  readonly #timelines = button(t('Show Both Timelines'), () => void this.host.ask('timelines/show', undefined), 'icon');
  readonly #shapes = checkbox(t('Operators by shapes'), false, isOn => void this.#chooseShapes(isOn));
  readonly #verdict = element('div', {className: 'verdict', attributes: {'data-testid': 'verdict'}});
  readonly #rows = element('div', {className: 'rows', attributes: {role: 'tabpanel', tabindex: '0'}});
  readonly #flame = new DifferenceFlame();
  readonly #tabs = new TabBar(
    t('Views of the comparison'),
    id => (id === 'flame' ? this.#flame.element : this.#rows),
    id => this.#choose(id),
  );
  readonly #view = element('div', {
    className: 'view',
    children: [
      element('div', {
        className: 'bar',
        children: [
          this.#title,
          element('span', {className: 'spring'}),
          this.#said,
          this.#shapes,
          this.#timelines,
          button(t('Copy as Markdown'), () => this.#copy(), 'icon'),
          this.#save,
        ],
      }),
      this.#verdict,
      this.#tabs.element,
      this.#rows,
      this.#flame.element,
    ],
  });
  readonly #message = element('div', {
    className: 'message',
    text: t('Nothing is compared. Run “GPU Lens: Compare Active Profile with…”, or select runs in the view Runs.'),
  });
  readonly #grids: RowGridContext;
  #shown: ComparisonContent = {state: 'empty'};
  /** What the user chose last. */
  #isByShapes = false;

  constructor(
    private readonly host: Host<ComparisonHostRequests, ComparisonViewRequests>,
    private readonly body: HTMLElement,
  ) {
    const tell = (said: string) => (this.#said.textContent = said);
    this.#grids = {
      layouts: keptLayouts(host),
      copy: text => tellCopied(host.ask('clipboard/write', {text}), t('The selection'), tell),
    };
  }

  start(): void {
    this.#flame.element.setAttribute('role', 'tabpanel');
    this.#tabs.show(tabs);
    this.body.append(this.#view, this.#message);
    this.host.serve({
      'comparison/content': content => {
        this.#show(content);
        return undefined;
      },
    });
    this.#show(this.#shown);
    void this.host.ask('view/ready', undefined);
  }

  #show(content: ComparisonContent): void {
    this.#shown = content;
    this.#view.hidden = content.state === 'empty';
    this.#message.hidden = content.state !== 'empty';
    this.#said.textContent = '';
    const isPair = content.state === 'pair';
    this.#timelines.hidden = this.#shapes.hidden = !isPair || !content.hasTimelines;
    this.#tabs.element.hidden = this.#verdict.hidden = this.#save.hidden = !isPair;
    if (content.state === 'matrix') {
      this.#title.textContent = counted(content.names.length, '{0} run compared', '{0} runs compared');
      this.#rows.replaceChildren(...matrixTables(content.matrix, content.names, this.#grids));
    } else if (isPair) {
      const [base, changed] = content.names;
      this.#title.textContent = t('{0} compared with {1}', changed, base);
      this.#rows.replaceChildren(...changeTables(content.comparison, this.#grids));
      this.#showVerdict(content);
      this.#tickShapes(content.isByShapes);
      this.#flame.show(content.flames);
    }
    const kept = isPair ? tabs.find(({id}) => id === storedChoices(this.host, identityOf(content))['tab']) : undefined;
    this.#choose(kept?.id ?? 'changes');
  }

  #showVerdict({comparison}: ComparedPair): void {
    const [verdict, ...others] = summaryLines(comparison);
    const total = others.pop() ?? '';
    this.#verdict.replaceChildren(
      element('p', {children: [element('strong', {text: verdict}), document.createTextNode(` ${total}`)]}),
      ...(others.length === 0 ? [] : [element('ul', {children: others.map(text => element('li', {text}))})]),
    );
  }

  #choose(id: string): void {
    if (this.#shown.state === 'pair') storeChoices(this.host, identityOf(this.#shown), {tab: id});
    this.#tabs.select(id);
    this.#rows.hidden = id === 'flame';
    this.#flame.element.hidden = id !== 'flame';
  }

  async #chooseShapes(isByShapes: boolean): Promise<void> {
    // The check box also tells when its state is set by the page.
    if (isByShapes === this.#isByShapes) return;
    this.#isByShapes = isByShapes;
    this.#said.textContent = isByShapes ? t('Reading the shapes of operators…') : '';
    const none = t('A profile has no recorded shapes (record_shapes=True): operators are matched by name.');
    const said = await this.host.ask('shapes/choose', {isByShapes}).then(isDone => (isDone ? null : none), errorText);
    if (said === null || this.#isByShapes !== isByShapes) return;
    this.#tickShapes(this.#shown.state === 'pair' && this.#shown.isByShapes);
    this.#said.textContent = said;
  }

  #tickShapes(isByShapes: boolean): void {
    // First, because the box tells of its change at once.
    this.#isByShapes = isByShapes;
    this.#shapes.checked = isByShapes;
  }

  #copy(): void {
    const text =
      this.#shown.state === 'pair'
        ? comparisonPage(this.#shown.comparison, this.#shown.names)
        : this.#shown.state === 'matrix'
          ? matrixPage(this.#shown.matrix, this.#shown.names)
          : '';
    tellCopied(this.host.ask('clipboard/write', {text}), t('The comparison'), said => (this.#said.textContent = said));
  }

  async #saveHtml(): Promise<void> {
    if (this.#shown.state !== 'pair') return;
    const {comparison, names, flames} = this.#shown;
    try {
      const file = {name: 'comparison.html', content: comparisonHtml(comparison, names, [], flames)};
      if (await this.host.ask('file/save', file)) this.#said.textContent = t('Saved as HTML.');
    } catch (error) {
      this.#said.textContent = errorText(error);
    }
  }
}

function identityOf({names}: ComparedPair): string {
  return names.join('\n');
}
