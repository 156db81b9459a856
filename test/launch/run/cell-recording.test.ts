import {expect, it} from 'vitest';
import {firstProfile, setUpCode} from '../../../src/launch/run/cell-recording.js';

it('firstProfile(mark, folder) is the first that lies in the folder of the recording', () => {
  const inside = '/w/.gpu-lens/runs/1/cell.pt.trace.json.gz';
  const of = (profiles: unknown, version = 1) => firstProfile({version, profiles}, '/w/.gpu-lens/runs/1');
  expect(of([inside, '/w/.gpu-lens/runs/1/b.gz'])).toBe(inside);
  expect(
    of(['/etc/passwd', 3, '/w/.gpu-lens/runs/1/../2/x.gz', '/w/.gpu-lens/runs/1', '/w/.gpu-lens/runs', inside]),
  ).toBe(inside);
  for (const none of [of([]), of('x'), of([inside], 2), firstProfile(null, '/w'), firstProfile([], '/w')]) {
    expect(none).toBeNull();
  }
});

it('setUpCode(runner) writes any path as a text of Python', () => {
  expect(setUpCode('C:\\ext "x"\\runner')).toContain('"C:\\\\ext \\"x\\"\\\\runner" in sys.path');
});
