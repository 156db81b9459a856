import {expect, it} from 'vitest';
import {
  containsChange,
  parsePredictions,
  trackRecord,
  trackRecordText,
  type KeptPrediction,
} from '../../../src/core/what-if/record/track-record.js';

function prediction(change: Partial<KeptPrediction> = {}): KeptPrediction {
  return {
    ...{file: 'a.json', changes: ['remove-sync'], measuredNs: 1000, predictedNs: 800, intervalNs: [700, 900]},
    ...{outcome: null, ...change},
  };
}
const after = (measuredNs: number) => prediction({outcome: {run: 'later', measuredNs}});

it('trackRecord(predictions) counts those with an outcome: inside the interval, and how many points of the step they are off', () => {
  // 2, 10 and 15 points of 1000 ns; 900 is the interval's end.
  const record = trackRecord([after(820), after(900), after(950), prediction()]);
  expect(record).toEqual({predictions: 4, judged: 3, inside: 2, medianErrorPoints: 10});
  expect(trackRecordText(record)).toBe(
    'Track record: 4 predictions, of which 3 can be compared with a later run: 2 inside the interval, median error 10.0 points.',
  );
  expect(trackRecordText(trackRecord([prediction()]))).toContain('1 prediction, no later run');
  expect(trackRecordText(trackRecord([]))).toBeNull();
});

it.each([
  // A gain of 20 % was predicted: 4 % may be left.
  [1000, 800, {measuredNs: 500, predictedNs: 490}, true],
  [1000, 800, {measuredNs: 500, predictedNs: 470}, false],
  // Faster for another reason: the change would bring as much as before.
  [1000, 800, {measuredNs: 500, predictedNs: 400}, false],
  [1000, 800, null, true],
  // A gain within the noise tells nothing of later runs, nor does a loss.
  [1000, 990, {measuredNs: 990, predictedNs: 990}, false],
  [1000, 1200, {measuredNs: 1200, predictedNs: 1200}, false],
])(
  'a prediction of %i to %i ns and %o later: the later run has the change: %s',
  (measuredNs, predictedNs, later, has) => {
    expect(containsChange({measuredNs, predictedNs}, later)).toBe(has);
  },
);

it('parsePredictions(text) leaves out what has another form', () => {
  const kept = [after(820), prediction()];
  const wrong = [
    ...[null, 7, {}, {...prediction(), file: '../../etc/passwd'}, {...prediction(), changes: []}],
    ...[
      {...prediction(), intervalNs: [1]},
      {...prediction(), outcome: {run: 1}},
      {...prediction(), predictedNs: -1},
    ],
  ];
  expect(parsePredictions(JSON.stringify({version: 1, predictions: [...wrong, ...kept]}))).toEqual(kept);
  expect(parsePredictions('[]')).toEqual([]);
});
