import {readFileSync} from 'node:fs';
import {expect, it} from 'vitest';
import {itEachFile} from '../../support/each-file.js';
import {damaged, snapshotToDamage} from '../../support/hostile-pickles.js';
import {seededRandom} from '../../support/random.js';
import {readDamaged} from '../../support/read-damaged.js';
import {dataFiles} from '../../support/real-data.js';

it('100,000 damaged snapshots end with a sentence, or with rows that add up', {timeout: 480_000}, () => {
  const random = seededRandom(100);
  const whole = snapshotToDamage();
  let read = 0;
  for (let i = 0; i < 100_000; i++) if (readDamaged(damaged(whole, random)) === null) read++;
  expect(read).toBeGreaterThan(1000);
});

itEachFile(dataFiles('memory', '.pickle'))(
  '100 damaged copies of $name do the same',
  ({path}) => {
    const random = seededRandom(101);
    const whole = readFileSync(path);
    for (let i = 0; i < 100; i++) expect(() => readDamaged(damaged(whole, random))).not.toThrow();
  },
  480_000,
);
