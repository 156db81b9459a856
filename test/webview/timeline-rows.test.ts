import {describe, expect, it} from 'vitest';
import {timelineRows} from '../../src/core/layout/timeline-rows.js';
import {sliceDetails} from '../../src/core/questions/slice-details.js';
import {timelineSummary} from '../../src/core/questions/tracks.js';
import {keptToggles} from '../../webview/timeline/kept-toggles.js';
import {captionOf} from '../../webview/timeline/reader-table.js';
import {RowActions} from '../../webview/timeline/row-actions.js';
import {timelineActions} from '../../webview/timeline/timeline-actions.js';
import {emptyState} from '../../webview/timeline/timeline-state.js';
import {uncoveredText} from '../../webview/timeline/uncovered-text.js';
import {traceFromText} from '../support/trace-from-text.js';

describe('the neighbour of the selection', () => {
  const trace = traceFromText(`
    range outer     ==========
    call             A   B
    stream 7          AAA  BB
  `);
  /** Keys of a timeline that shows 4 to 8 µs, and where they asked for a slice. */
  function timelineOf(selected: string) {
    const row = [...trace.slices.name.keys()].find(at => trace.strings.get(trace.slices.name[at] ?? 0) === selected);
    const slice = sliceDetails(trace, row ?? -1);
    const rows = timelineRows(timelineSummary(trace));
    const picture = {
      state: {...emptyState, rows, window: {fromNs: 4000, toNs: 8000}},
      update: (change: object) => Object.assign(picture.state, change),
      rowOf: (key: string) => rows.rows.find(own => own.key === key) ?? null,
      scrollToRow: () => undefined,
    };
    const asked: (string | number)[] = [];
    const selection = {
      slice,
      neighbour: () => Promise.resolve(asked.push('beside the selection')).then(() => null),
      onLane: ({atNs}: {atNs: number}) => Promise.resolve(asked.push(atNs)).then(() => null),
    };
    const actions = new RowActions(picture as never, selection, {rowFocused: () => undefined} as never);
    const parts = {picture, selection, rows: actions, areas: {}, tip: {}, listener: {}, goTo: () => undefined};
    return {asked, actions, keys: timelineActions(parts as never)};
  }
  const settle = () => new Promise(resolve => setTimeout(resolve));

  it('is on the row that keys chose, until something is selected otherwise', async () => {
    const {asked, actions, keys} = timelineOf('kernel_B');
    keys.focusRow(-1);
    keys.neighbour(1);
    keys.neighbour(1);
    keys.focusRow(1);
    actions.forgetChoice();
    keys.neighbour(1);
    await settle();
    expect(asked).toEqual([7000, 'beside the selection', 'beside the selection']);
  });

  it('is in sight on a row that was chosen, wherever the selection is', async () => {
    const {asked, keys} = timelineOf('kernel_A');
    keys.focusRow(-1);
    keys.neighbour(1);
    keys.focusRow(1);
    keys.neighbour(-1);
    await settle();
    expect(asked).toEqual([4000, 8000]);
  });
});

it('keptToggles(kept, before, after) has what a person has changed, and not what was opened to show a slice', () => {
  const kept = new Set(['GPU 0', 'frames']);
  // A hit has opened the folded group "GPU 0" and folds nothing.
  const seen = new Set(['frames']);
  expect([...keptToggles(kept, seen, new Set(['frames', 'main']))]).toEqual(['GPU 0', 'frames', 'main']);
  expect([...keptToggles(kept, seen, new Set())]).toEqual(['GPU 0']);
  expect([...keptToggles(kept, seen, new Set(['frames', 'GPU 0']))]).toEqual(['GPU 0', 'frames']);
});

it('uncoveredText(hidBy) says what was done, and captionOf(slices) how many are in view', () => {
  expect([uncoveredText([]), uncoveredText(['filter', 'row'])]).toEqual(['', 'filter cleared · row opened']);
  expect([0, 1, 50].map(captionOf)).toEqual([
    'In view: no slices',
    'In view: 1 slice',
    'In view: the 50 longest slices',
  ]);
});
