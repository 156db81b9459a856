import type {SweepPoint} from './sweep-points.js';

/** Returns a point in one line: `small, context 128, batch 4, forward, bf16, cpu`. */
export function pointText(point: SweepPoint): string {
  const {variant, label, contextLength, batch, pass, precision, device, compile} = point;
  const parts = [
    variant,
    label,
    contextLength === null ? null : `context ${String(contextLength)}`,
    batch === null ? null : `batch ${String(batch)}`,
    pass,
    precision,
    device,
    compile === true ? 'compiled' : null,
  ];
  return parts.filter(part => part !== null && part !== '').join(', ');
}
