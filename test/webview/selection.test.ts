import {expect, it} from 'vitest';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import type {SliceLink} from '../../src/core/questions/slice-links.js';
import type {Host} from '../../webview/shared/host.js';
import {Selection} from '../../webview/timeline/selection.js';

const detailsOf = (slice: number) => ({slice, name: `slice ${String(slice)}`}) as SliceDetails;
const launch = {kind: 'launch', from: detailsOf(1), to: detailsOf(2)} as SliceLink;

/** A selection whose links are answered when `answer` is called. */
function selectionWithLateLinks(): {selection: Selection; answer: () => void} {
  const links = Promise.withResolvers<readonly SliceLink[]>();
  const answers: Readonly<Record<string, (slice: number) => unknown>> = {
    'slice/details': slice => Promise.resolve(detailsOf(slice)),
    'slice/links': () => links.promise,
  };
  const ask = (method: string, {slice}: {slice: number}) => answers[method]?.(slice) ?? Promise.resolve(null);
  const nobody = () => undefined;
  const listener = {changed: nobody, linked: nobody, placed: nobody, slackRead: nobody, argumentsRead: nobody};
  return {
    selection: new Selection({ask} as unknown as Host, listener),
    answer: () => {
      links.resolve([launch]);
    },
  };
}

it('followed(direction) waits for the flows of a slice that was selected just now', async () => {
  const {selection, answer} = selectionWithLateLinks();
  void selection.selectSlice(1);
  const [next, previous] = [selection.followed(1), selection.followed(-1)];
  answer();
  expect((await next)?.slice).toBe(2);
  expect(await previous).toBeNull();
});

it('details(slice) asks again for a slice after the engine was gone', async () => {
  const asked: number[] = [];
  const ask = (_: string, {slice}: {slice: number}) =>
    asked.push(slice) === 1 ? Promise.reject(new Error('The engine is gone.')) : Promise.resolve(detailsOf(slice));
  const selection = new Selection({ask} as unknown as Host, {} as never);
  expect(await selection.details(3)).toBeNull();
  expect((await selection.details(3))?.slice).toBe(3);
  expect((await selection.details(3))?.slice).toBe(3);
  expect(asked).toEqual([3, 3]);
});

it('followed(direction) is null where nothing is selected, and where something else was selected meanwhile', async () => {
  const {selection, answer} = selectionWithLateLinks();
  expect(await selection.followed(1)).toBeNull();
  void selection.selectSlice(1);
  const next = selection.followed(1);
  selection.clear();
  answer();
  expect(await next).toBeNull();
});
