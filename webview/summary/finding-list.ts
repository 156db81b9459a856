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
import {t} from '../shared/translate.js';
import {button, progressRing} from '../shared/ui.js';

export interface FindingActions {
  timeline(startNs: number): void;
  source(finding: Finding): void;
  all(): void;
}

/** Lists the first findings, each with its first evidence, advice, and its place. */
export class FindingList {
  readonly element = element('section', {className: 'findings', attributes: {'aria-live': 'polite'}});

  constructor(private readonly actions: FindingActions) {}

  wait(): void {
    this.#show(
      element('p', {
        className: 'muted',
        children: [progressRing(), document.createTextNode(t('Looking for what stands out…'))],
      }),
    );
  }

  fail(message: string): void {
    this.#show(element('p', {text: t('What stands out could not be found: {0}', message)}));
  }

  show({findings, hasGpuWork, notes}: ProfileFindings): void {
    const told = notes.map(text => element('p', {className: 'muted', text}));
    if (findings.length === 0) {
      this.#show(element('p', {text: hasGpuWork ? nothingFound() : noGpuWork()}), ...told);
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
    this.#show(element('ul', {children: items}), element('p', {children: [all]}), ...told);
  }

  #show(...children: HTMLElement[]): void {
    this.element.replaceChildren(element('h2', {text: t('What stands out')}), ...children);
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
