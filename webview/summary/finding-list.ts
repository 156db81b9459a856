import {
  evidenceText,
  findingPlace,
  noGpuWork,
  nothingFound,
  severityText,
  type ProfileFindings,
} from '../../src/core/findings/findings-page.js';
import type {Finding} from '../../src/core/findings/rules/finding.js';
import {shownFindings} from '../../src/core/summary/summary-page.js';
import {element} from '../shared/dom.js';
import {counted, t} from '../shared/translate.js';
import {button, progressRing} from '../shared/ui.js';

export interface FindingActions {
  timeline(startNs: number): void;
  source(finding: Finding): void;
  all(): void;
}

/** Lists the first findings, each with its first evidence, advice, and its place. */
export class FindingList {
  /** Announced alone: the list itself takes a minute to read. */
  readonly #said = element('p', {attributes: {'aria-live': 'polite'}});
  readonly element = element('section', {
    className: 'findings',
    children: [element('h2', {text: t('What stands out')}), this.#said],
  });

  constructor(private readonly actions: FindingActions) {}

  wait(): void {
    this.#say('muted', progressRing(), t('Looking for what stands out…'));
    this.#list();
  }

  fail(message: string): void {
    this.#say('', t('What stands out could not be found: {0}', message));
    this.#list();
  }

  show({findings, hasGpuWork, notes}: ProfileFindings): void {
    const told = notes.map(text => element('p', {className: 'muted', text}));
    if (findings.length === 0) {
      this.#say('', hasGpuWork ? nothingFound() : noGpuWork());
      this.#list(...told);
      return;
    }
    const items = findings.slice(0, shownFindings).map(finding => this.#item(finding));
    const all = button(
      findings.length === 1 ? t('Show the finding') : t('Show all {0} findings', findings.length),
      () => {
        this.actions.all();
      },
      'secondary',
    );
    this.#say('unseen', counted(findings.length, '{0} finding', '{0} findings'));
    this.#list(element('ul', {children: items}), element('p', {children: [all]}), ...told);
  }

  /** The sentence stays: one that is inserted anew is not announced. */
  #list(...children: HTMLElement[]): void {
    while (this.#said.nextSibling) this.#said.nextSibling.remove();
    this.element.append(...children);
  }

  #say(className: '' | 'muted' | 'unseen', ...children: (HTMLElement | string)[]): void {
    this.#said.className = className;
    this.#said.replaceChildren(...children);
  }

  #item(finding: Finding): HTMLElement {
    const {title, severity, evidence, advice, file, startNs} = finding;
    const told = evidence.map(item => element('li', {text: `${item.text}: ${evidenceText(item)}`}));
    const links = [
      ...(file === null ? [] : [link(findingPlace(finding), () => this.actions.source(finding))]),
      ...(startNs === null ? [] : [link(t('Show in timeline'), () => this.actions.timeline(startNs))]),
    ];
    return element('li', {
      className: severity,
      children: [
        element('strong', {text: title}),
        element('span', {className: 'severity', text: severityText(severity)}),
        ...(links.length === 0 ? [] : [element('div', {className: 'places', children: links})]),
        element('details', {
          children: [
            element('summary', {text: t('Evidence and what to do')}),
            element('ul', {children: told}),
            element('p', {text: advice}),
          ],
        }),
      ],
    });
  }
}

function link(text: string, onClick: () => void): HTMLElement {
  return button(text, onClick, 'icon');
}
