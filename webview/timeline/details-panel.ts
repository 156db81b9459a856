import {formatCount} from '../../src/core/format/count.js';
import {formatCounterValue} from '../../src/core/names/counter-value.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import type {NamedSlice, SliceContext} from '../../src/core/questions/slice-context.js';
import type {SliceDurations} from '../../src/core/questions/slice-durations.js';
import type {InstantDetails, SliceArgument, SliceDetails} from '../../src/core/questions/slice-details.js';
import type {SliceSlack} from '../../src/core/what-if/recorded/path-at.js';
import {element, unseen} from '../shared/dom.js';
import {DurationsSection} from './durations-section.js';
import {startText} from './hover-tip.js';
import {readable} from './readable.js';
import {t} from '../shared/translate.js';

/** The actions of a selection's links. */
export interface DetailsActions {
  goTo(slice: number): void;
  /** Opens the source of a range or frame of this name. */
  goToSource(name: string): void;
  /** Shows the contents of a range of this name. */
  showFlame(range: string): void;
  /** Shows what could change about a slice. */
  whatIf(slice: SliceDetails): void;
  /** Searches for slices of the same name. */
  searchSame(name: string): void;
  /** Reads the durations of similar slices. */
  readDurations(slice: number): Promise<SliceDurations | null>;
}

const hint = t('Click a slice for its details · drag to mark an area · W/S zoom · A/D pan · / search · ? all keys');

/** Shows details below the canvas: the selection, its context, and the file's data on it. */
export class DetailsPanel {
  readonly #line = element('div', {
    className: 'details-line',
    attributes: {'aria-live': 'polite', 'data-testid': 'selection'},
  });
  readonly #context = element('div', {className: 'details-line', attributes: {'data-testid': 'context'}});
  /** Part of the context, whichever of them arrives first. */
  readonly #slack = element('span', {attributes: {'data-testid': 'slack'}});
  readonly #arguments = element('div', {
    className: 'facts',
    // With the focus in it, keys scroll content that does not fit. It is read on demand: each selection would take long.
    attributes: {
      'data-testid': 'arguments',
      tabindex: '0',
      role: 'group',
      'aria-label': t('What the file says of the selection'),
    },
  });
  readonly element = element('div', {
    className: 'details',
    children: [this.#line, this.#context, this.#arguments],
  });
  readonly #durations: DurationsSection;

  constructor(private readonly actions: DetailsActions) {
    this.#durations = new DurationsSection(
      slice => this.actions.readDurations(slice),
      slice => this.actions.goTo(slice),
    );
    this.element.append(this.#durations.element);
    this.clear();
  }

  clear(): void {
    this.#show(hint, true);
  }

  showSlice(slice: SliceDetails, trackName: string): void {
    const {name, durationNs} = slice;
    this.#show(name, false);
    // When read out or copied, the name comes first. On screen the duration does, and the name has the room that it
    // needs.
    this.#line.replaceChildren(
      element('span', {className: 'name', text: name}),
      detail('start', t('start {0}', startText(slice))),
      detail('duration', t('duration {0}', formatDuration(durationNs))),
      detail('track', trackName),
    );
  }

  showInstant({name, atNs, bytes, kind}: InstantDetails, trackName: string): void {
    const parts = [name, t('at {0}', timeFormatter(atNs, 1000)(atNs)), kind];
    if (bytes !== null) {
      const size = formatCounterValue(Math.abs(bytes), 'bytes');
      parts.push(bytes < 0 ? t('freed {0}', size) : t('allocated {0}', size));
    }
    this.#show([...parts, trackName].filter(part => part !== '').join(' · '), false);
  }

  /** Shows a place of a memory counter, with the link to the memory's contents. */
  showMemory(text: string, show: () => void): void {
    this.#show(text, false);
    this.#context.replaceChildren(this.#link(t('Show what holds the memory'), show));
    this.#context.hidden = false;
  }

  /** Shows what the selected slice belongs to, with links. */
  showContext(context: SliceContext, slice: SliceDetails): void {
    const {selfNs, range, isBackward, bucket, operator, module, frame, sameName} = context;
    const parts: (Node | null)[] = [
      selfNs === null ? null : element('span', {text: t('self {0}', formatDuration(selfNs))}),
      this.#named(isBackward ? t('backward of') : t('in'), range),
      bucket === null ? null : element('span', {text: bucket}),
      this.#named(t('op'), operator),
      this.#named(t('module'), module),
      this.#named(t('frame'), frame),
    ];
    const same = t('{0} like this, {1} together', formatCount(sameName.count), formatDuration(sameName.totalNs));
    const place = sourceName(context, slice);
    const around = isTagged.has(slice.kind) ? slice.name : (range?.name ?? null);
    const links = [
      this.#link(same, () => this.actions.searchSame(slice.name)),
      ...(sameName.count > 1 ? [this.#durations.button] : []),
      ...(place === null ? [] : [this.#link(t('Go to source'), () => this.actions.goToSource(place))]),
      ...(around === null ? [] : [this.#link(t('Show in flame graph'), () => this.actions.showFlame(around))]),
      ...(canDiffer.has(slice.kind) ? [this.#link(t('What if…'), () => this.actions.whatIf(slice))] : []),
    ];
    this.#context.replaceChildren(...separated([...links, ...parts.filter(part => part !== null)]), this.#slack);
    this.#context.hidden = false;
    this.#durations.show(sameName.count > 1 ? slice.slice : null);
  }

  /** Shows how much longer the selected slice could take without delaying its step. */
  showSlack({window, slackNs, isCritical}: SliceSlack): void {
    const text = isCritical ? t('on the critical path') : t('slack {0}', formatDuration(slackNs));
    const title = isCritical
      ? t('The critical path of {0} goes through it: if it were longer, the path would be.', window)
      : t('So much longer could it take before the critical path of {0} is longer.', window);
    this.#slack.textContent = ` · ${text}`;
    this.#slack.title = title;
  }

  showArguments(args: readonly SliceArgument[]): void {
    this.#arguments.hidden = args.length === 0;
    this.#arguments.replaceChildren(
      ...args.filter(isTelling).flatMap(({name, value}) => [
        element('span', {
          className: 'fact',
          attributes: readable(value) === value ? {} : {title: `${name} ${value}`},
          children: [element('span', {className: 'muted', text: name}), document.createTextNode(` ${readable(value)}`)],
        }),
        unseen(', '),
      ]),
    );
  }

  /** Shows a sentence in place of everything else, for failures. */
  tell(text: string): void {
    this.#show(text, false);
  }

  #show(text: string, isHint: boolean): void {
    // A title of the line itself would be read as its name, and its text after that.
    this.#line.replaceChildren(element('span', {text, attributes: {title: text}}));
    this.#line.classList.toggle('muted', isHint);
    this.element.classList.toggle('hint', isHint);
    this.#slack.textContent = '';
    this.#context.hidden = true;
    this.#arguments.hidden = true;
    this.#durations.show(null);
  }

  #named(label: string, named: NamedSlice | null): Node | null {
    if (!named) return null;
    const link = this.#link(named.name, () => this.actions.goTo(named.slice));
    return element('span', {children: [document.createTextNode(`${label} `), link]});
  }

  #link(text: string, onClick: () => void): HTMLElement {
    const link = element('button', {className: 'link', text, attributes: {type: 'button', title: text}});
    link.addEventListener('click', onClick);
    return link;
  }
}

/** Returns a part of the line about a slice, with the dot that precedes it in the text. */
function detail(className: string, text: string): HTMLElement {
  return element('span', {className, children: [unseen(' · '), new Text(text)]});
}

/** Kineto's count of operations that wait in the stream matters only if there are any. */
const isTelling = ({name, value}: SliceArgument): boolean => name !== 'queued' || value !== '0';

/** Returns the name for which a slice's source is searched: the innermost one with a line. */
function sourceName({range, frame}: SliceContext, {name, kind}: SliceDetails): string | null {
  if (kind === 'python_function' || isTagged.has(kind)) return name;
  return frame?.name ?? range?.name ?? null;
}

const isTagged: ReadonlySet<string> = new Set([
  'user_annotation',
  'nvtx_pushpop',
  'nvtx_startend',
  'gpu_user_annotation',
]);

/** Kinds to which a replay can assign another time. */
const canDiffer: ReadonlySet<string> = new Set([
  ...['user_annotation', 'nvtx_pushpop', 'nvtx_startend', 'cpu_op', 'module', 'python_function'],
  ...['kernel', 'gpu_memcpy', 'gpu_memset'],
]);

/** Returns the nodes with a dot between them. */
function separated(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node, at) => (at === 0 ? [node] : [document.createTextNode(' · '), node]));
}
