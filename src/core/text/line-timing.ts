import {say} from '../base/say.js';
import type {TimeWindow} from '../base/time-window.js';
import type {LineTiming} from '../lines/line-timings.js';
import {isTimeWindow, type TimingScope} from '../scope/timing-scope.js';
import {formatPercent} from '../format/duration.js';
import {lineFields, type LinePer} from './line-fields.js';
import {fillTemplate} from '../format/text-template.js';
import {timeWindowText} from '../format/time-window-text.js';

/** How lines are displayed. */
export interface LineStyle {
  readonly per: LinePer;
  /** For lines with GPU work; other lines have fixed texts. */
  readonly template: string;
}

export const defaultLineTemplate =
  'GPU {work} · {share} · fwd {forward} · bwd {backward} · ×{count} · peak {memory} · {delta}';

/**
 * Returns a line's timing for CodeLens. The first figure is forward and backward work together; the others are parts of
 * it in the same unit.
 *
 *     GPU 44.3 ms/step · 30.6 % · fwd 14.2 · bwd 30.1 · ×32
 *     no GPU work · CPU 12.1 ms/step · ×32
 *     CPU 12.1 ms/step · 4.94 % of the step · ×9 · no GPU work in this profile
 *     not in this profile
 *     scoped to 12.3–45.6 ms · GPU 44.3 ms · 30.6 % · ×32
 *     scoped to 12.3–45.6 ms · nothing in it
 *
 * @param delta the difference to the previous run, '' for none
 */
export function lineTimingText(timing: LineTiming, style: LineStyle, delta = ''): string {
  if (timing.nameCount === 0) return say('not in this profile');
  return isTimeWindow(timing.of)
    ? `${scopeText(timing.of)} · ${figures(timing, style, delta)}`
    : figures(timing, style, delta);
}

/** Returns the text shown with all figures that cover only a window. */
export function scopeText(window: TimeWindow): string {
  return say('scoped to {0}', timeWindowText(window));
}

function figures(timing: LineTiming, {per, template}: LineStyle, delta: string): string {
  const {of, count, operations} = timing;
  if (isTimeWindow(of) && count + operations === 0) return say('nothing in it');
  const fields = lineFields(timing, per, delta);
  if (fields.work !== '') return fillTemplate(template, fields);
  if (timing.isGpuProfile) {
    return fillTemplate('{none} · CPU {cpu} · ×{count} · {delta}', {...fields, none: say('no GPU work')});
  }
  const share = say(
    of === 'steps' ? '{0} of the step' : isTimeWindow(of) ? '{0} of the window' : '{0} of the profile',
    formatPercent(timing.cpuWallNs, timing.allWallNs),
  );
  const none = say('no GPU work in this profile');
  return fillTemplate('CPU {cpu} · {share} · ×{count} · {delta} · {none}', {...fields, share, none});
}

/** Returns the tooltip that explains the figures of a line. @see docs/metrics.md#lines */
export function lineTimingTooltip({names, nameCount, of, isGpuProfile}: LineTiming): string {
  if (nameCount === 0) return say('No range of the active profile has a name that this line gives.');
  const which =
    nameCount === 1
      ? say('All instances of the range "{0}" {1}.', names[0].name, whereText(of))
      : say('All instances of {0} ranges ({1}), summed {2}.', nameCount, listed(names), whereText(of));
  const gpu = say(
    'GPU: durations of the kernels, copies and memsets launched inside, summed (fwd: on the range’s own thread; bwd: by autograd for it), and its share of all GPU work.',
  );
  const cpu = say('CPU: wall time from opening to closing. Click to show the first one in the timeline.');
  return [which, ...(isGpuProfile ? [gpu] : []), cpu].join(' ');
}

function whereText(of: TimingScope): string {
  if (of === 'steps') return say('in the steps of the profile, divided by their number');
  if (of === 'profile') return say('in the profile');
  return say(
    'in the window {0} that is marked in the timeline, not in the whole profile; what lies partly in it counts with the part inside',
    timeWindowText(of),
  );
}

function listed(names: LineTiming['names']): string {
  const shown = names
    .slice(0, 4)
    .map(({name}) => name)
    .join(', ');
  return names.length > 4 ? `${shown}, …` : shown;
}
