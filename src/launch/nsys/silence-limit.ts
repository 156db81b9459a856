/** How long nsys may neither write nor end when it waits for nothing else: it prints its progress every few seconds. */
export const usualSilenceSeconds = 120;

/** What to do if it needed longer. */
export const silenceRemedy = 'set gpuLens.nsysLimitSeconds (GPU_LENS_NSYS_LIMIT) higher if it needs longer';

/** Returns the message for an nsys that did not end after its program. @param options the user's own flags */
export function hungSentence(name: string, limitMs: number, options: readonly string[]): string {
  const seconds = String(limitMs / 1000);
  const samples = options.some(option => /^(-s|--sample|--cpuctxsw|--backtrace)\b(?!.*none)/.test(option));
  const remedy = samples
    ? 'nsys is known to hang with CPU sampling, so leave --sample, --cpuctxsw and --backtrace out of its options'
    : `try again, or ${silenceRemedy}`;
  return `nsys hung: with nothing of ${name} running any more it neither wrote nor ended for ${seconds} s, and was ended; ${remedy}.`;
}
