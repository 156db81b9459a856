// npm run pictures: cuts the README's pictures out of the screenshots that the end-to-end tests leave in test/e2e/out.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {PNG} from 'pngjs';
import {root, say} from './lib/run.mjs';

/** The screenshot, then left, top, width and height of the part in pixels; without these, the whole. */
const pictures = {
  'lines-and-timeline': ['sample-timeline-range'],
  'flame-graph': ['sample-flame', 352, 36, 1044, 530],
  lines: ['profile-range', 352, 86, 700, 312],
  profile: ['profile-choices', 400, 6, 604, 248],
  timeline: ['roofline', 352, 576, 1044, 290],
  roofline: ['roofline', 352, 64, 1044, 500],
  summary: ['summary-page'],
  job: ['job-page', 352, 68, 1044, 660],
};

for (const [name, [screenshot, ...part]] of Object.entries(pictures)) {
  const from = join(root, 'test', 'e2e', 'out', `${screenshot}.png`);
  if (!existsSync(from)) {
    say(`${screenshot}.png is not in test/e2e/out: docs/images/${name}.png stays as it is.`);
    continue;
  }
  const whole = PNG.sync.read(readFileSync(from));
  const [left, top, width, height] = part.length > 0 ? part : [0, 0, whole.width, whole.height];
  const picture = new PNG({width, height});
  PNG.bitblt(whole, picture, left, top, width, height, 0, 0);
  const to = join(root, 'docs', 'images', `${name}.png`);
  writeFileSync(to, PNG.sync.write(picture, {colorType: 2, deflateLevel: 9}));
  say(to);
}
