import {kineto, kinetoText, type KinetoEvent} from './kineto-events.js';

const bf16 = 'c10::BFloat16';
const tokens = 141;
const shapes = (...dims: number[][]) => ({'Input Dims': dims, 'Input type': dims.map(() => bf16)});

/** Operators of a layer of BERT-small by the range around them, each with the µs of its kernel. */
const layer: readonly (readonly [range: string, operator: string, args: object, us: number])[] = [
  ['attention', 'aten::addmm', shapes([512], [tokens, 512], [512, 512]), 6],
  ['attention', 'aten::addmm', shapes([512], [tokens, 512], [512, 512]), 6],
  ['attention', 'aten::addmm', shapes([512], [tokens, 512], [512, 512]), 6],
  ['attention', 'aten::addmm', shapes([512], [tokens, 512], [512, 512]), 6],
  ['attention', 'aten::native_layer_norm', shapes([1, tokens, 512]), 3],
  ['mlp', 'aten::addmm', shapes([2048], [tokens, 512], [512, 2048]), 7],
  ['mlp', 'aten::gelu', shapes([1, tokens, 2048]), 2],
  ['mlp', 'aten::addmm', shapes([512], [tokens, 2048], [2048, 512]), 9],
];

/** Returns a trace of two steps of a small model on an H100, with or without shapes. */
export function smallModelTrace({hasShapes = true} = {}): string {
  const events: KinetoEvent[] = [];
  let correlation = 0;
  for (const step of [1, 2]) {
    const startUs = 1000 * step;
    events.push(kineto.range(`ProfilerStep#${String(step)}`, startUs, 900));
    for (const range of ['attention', 'mlp']) {
      const beginUs = startUs + (range === 'mlp' ? 400 : 0) + 10;
      const operators = layer.filter(([own]) => own === range);
      events.push(kineto.range(range, beginUs, 40 * operators.length));
      operators.forEach(([, name, args, us], at) => {
        const atUs = beginUs + 40 * at + 2;
        const id = ++correlation;
        events.push(
          kineto.op(name, atUs, 30, hasShapes ? args : {}),
          kineto.call(id, atUs + 5, 5),
          kineto.kernel(id, atUs + 12, us),
        );
      });
    }
  }
  return kinetoText(events, {deviceProperties: [{id: 0, name: 'NVIDIA H100 80GB HBM3'}]});
}
