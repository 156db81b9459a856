import {comparedWithUsualWork} from '../support/usual-work.js';
import {describe, expect, it} from 'vitest';
import {isStarted, startedScripts} from '../../src/launch/command/started-scripts.js';

describe('startedScripts(text)', () => {
  it.each([
    ['python train.py --lr 1', ['train.py']],
    ['python3 -u ./src/train.py', ['src/train.py']],
    ['torchrun --nproc_per_node 8 \\\n  "$ROOT"/scripts/pretrain.py \\\n  --size 7b', ['scripts/pretrain.py']],
    ['accelerate launch --config_file=a.yaml ../finetune.py; echo done', ['finetune.py']],
    ['torchrun -m fairseq_cli.train data', ['fairseq_cli/train.py']],
    ['SCRIPT=run_clm.py\npython $SCRIPT', ['run_clm.py']],
    ['# python old.py\necho no # python other.py', []],
    ['cat train.py.bak', []],
    ['${DIR}train.py', []],
    ['python a.py\r\npython a.py && python b.py', ['a.py', 'b.py']],
  ])('%j names %j', (text, ends) => {
    expect(startedScripts(text).filter(end => end !== '')).toEqual(ends);
  });

  it('reads a megabyte without a script in no time', async () => {
    const texts = ['a.p '.repeat(250_000), '-m '.repeat(300_000), 'a'.repeat(1_000_000)];
    const {result, times} = await comparedWithUsualWork(() => texts.map(startedScripts));
    expect(result).toEqual([[], [], []]);
    expect(times).toBeLessThan(20);
  });
});

it('isStarted(path, ends) compares whole names', () => {
  expect(isStarted('/w/src/train.py', ['src/train.py'])).toBe(true);
  expect(isStarted('C:\\w\\src\\train.py', ['src/train.py'])).toBe(true);
  expect(isStarted('/w/src/pretrain.py', ['train.py'])).toBe(false);
  expect(isStarted('/w/train.py', [''])).toBe(false);
});
