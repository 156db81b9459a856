import {kineto, kinetoText, type KinetoEvent} from './kineto-events.js';

/**
 * Returns a Kineto trace of a model's steps: layers with attention and feed-forward, each of a few operators and
 * kernels.
 */
export function modelTrace(steps: number, layers: number): string {
  const events: KinetoEvent[] = [];
  let correlation = 1;
  let gpuUs = 0;
  let cpuUs = 0;
  const operator = (name: string, kernel: string, kernelUs: number) => {
    const from = cpuUs;
    cpuUs += 3;
    events.push(kineto.call(correlation, cpuUs, 4));
    gpuUs = Math.max(gpuUs + 1, cpuUs + 5);
    events.push({...kineto.kernel(correlation++, gpuUs, kernelUs), name: kernel});
    gpuUs += kernelUs;
    cpuUs += 6;
    events.push(kineto.op(name, from, cpuUs - from));
  };
  const range = (name: string, inside: () => void) => {
    const from = cpuUs;
    cpuUs += 1;
    inside();
    cpuUs += 1;
    events.push(kineto.range(name, from, cpuUs - from));
  };
  for (let step = 0; step < steps; step++) {
    range(`ProfilerStep#${String(step)}`, () => {
      for (let layer = 0; layer < layers; layer++) {
        range(`layer_${String(layer)}`, () => {
          range('attention', () => {
            operator('aten::linear', 'ampere_sgemm_128x64_tn', 40 + layer);
            operator('aten::softmax', 'softmax_warp_forward', 15);
          });
          range('feed_forward', () => {
            operator('aten::linear', 'ampere_sgemm_128x128_tn', 60 + 2 * layer);
            operator('aten::gelu', 'vectorized_elementwise_kernel', 12);
          });
        });
      }
    });
  }
  return kinetoText(events);
}
