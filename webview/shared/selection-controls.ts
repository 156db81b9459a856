import {formatDuration} from '../../src/core/format/duration.js';
import {parseTimeWindow} from '../../src/core/format/time-window-text.js';
import {trackText} from '../../src/core/names/track-text.js';
import type {ProcessChoice} from '../../src/core/scope/processes.js';
import type {Selection} from '../../src/core/scope/selection.js';
import type {ProfileView} from '../../src/protocol/view-messages.js';
import {element} from './dom.js';
import {stepChoices} from './step-choices.js';
import {t} from './translate.js';
import {dropdown, type Choice} from './ui.js';

/** Stands for no choice: an empty value would be replaced by its text. */
const whole = 'whole';

/** The choices that a profile offers. */
export interface SelectionChoices {
  readonly devices: readonly number[];
  readonly steps: readonly number[];
  readonly processes: readonly ProcessChoice[];
  /** Track → the name of the thread: views of one thread are opened from tables. */
  readonly threads: ReadonlyMap<number, string>;
}

/**
 * Returns the steps, devices and processes of a profile. If several ranks have a step of the same number, it is offered
 * once.
 */
export function selectionChoices({info, steps, processes, tracks}: ProfileView): SelectionChoices {
  return {
    devices: info.devices.map(({id}) => id),
    steps: [...new Set(steps.map(({number}) => number))].sort((a, b) => a - b),
    processes,
    threads: new Map(tracks.map(({track, name}) => [track, name])),
  };
}

/**
 * Returns controls for the part of a profile that a view shows: a step, a process and a device, if there are several, a
 * window, and a range, a thread and a stream, which can be removed. They show a fixed selection: after a change, create them again.
 */
export function selectionControls(
  selection: Selection,
  {devices, steps, processes, threads}: SelectionChoices,
  onChange: (selection: Selection) => void,
): HTMLElement[] {
  const set = <K extends keyof Selection>(member: K, value: Selection[K]) => {
    onChange(withMember(selection, member, value));
  };
  const chooser = (
    label: string,
    all: string,
    choices: readonly Choice[],
    chosen: string | number | undefined,
    choose: (value: string | undefined) => void,
  ) =>
    choices.length < 2 && chosen === undefined
      ? []
      : [
          dropdown(label, [{value: whole, text: all}, ...choices], String(chosen ?? whole), value => {
            choose(value === whole ? undefined : value);
          }),
        ];
  const numberOf = (value: string | undefined) => (value === undefined ? undefined : Number(value));
  const {range, track, stream} = selection;
  const removable = (text: string | undefined, member: keyof Selection) =>
    text === undefined
      ? []
      : [
          chip(text, () => {
            set(member, undefined);
          }),
        ];
  return [
    ...chooser(t('Step'), t('All steps'), stepChoices(steps, selection.step), selection.step, step => {
      set('step', numberOf(step));
    }),
    ...chooser(
      t('Process'),
      t('All processes'),
      processes.map(({pid, text}) => ({value: pid, text: trackText(text)})),
      selection.process,
      pid => {
        set('process', pid);
      },
    ),
    ...chooser(
      t('Device'),
      t('All GPUs'),
      devices.map(id => ({value: String(id), text: `GPU ${String(id)}`})),
      selection.device,
      device => {
        set('device', numberOf(device));
      },
    ),
    windowField(
      selection,
      window => {
        onChange({...selection, ...window});
      },
      () => {
        onChange(withMember(withMember(selection, 'fromNs', undefined), 'toNs', undefined));
      },
    ),
    ...removable(range && t('Range {0}', range), 'range'),
    ...removable(track === undefined ? undefined : trackText(threads.get(track) ?? `Track ${String(track)}`), 'track'),
    ...removable(stream === undefined ? undefined : trackText(`Stream ${String(stream)}`), 'stream'),
  ];
}

/** For the type, a member that is undefined counts as set, so it must be removed. */
function withMember<K extends keyof Selection>(selection: Selection, member: K, value: Selection[K]): Selection {
  const rest = Object.fromEntries(Object.entries(selection).filter(([key]) => key !== member));
  return value === undefined ? rest : {...rest, [member]: value};
}

function windowField(
  {fromNs, toNs}: Selection,
  select: (part: Partial<Selection>) => void,
  clear: () => void,
): HTMLElement {
  if (fromNs !== undefined || toNs !== undefined) {
    return chip(`${formatDuration(fromNs ?? 0)} – ${toNs === undefined ? t('end') : formatDuration(toNs)}`, clear);
  }
  const input = element('input', {
    className: 'field',
    attributes: {type: 'text', placeholder: t('Time, e.g. 10–20 ms'), 'aria-label': t('Time window'), size: '16'},
  });
  input.addEventListener('change', () => {
    const window = parseTimeWindow(input.value);
    input.setAttribute('aria-invalid', String(window === null && input.value.trim() !== ''));
    if (window) select(window);
  });
  return input;
}

/** Returns a part of the selection with a button to remove it. */
function chip(text: string, remove: () => void): HTMLElement {
  const created = element('button', {
    className: 'chip',
    text: `${text} ✕`,
    attributes: {title: t('Remove: {0}', text)},
  });
  created.addEventListener('click', remove);
  return created;
}
