/**
 * Returns a text of at most `letters` characters, without its middle: kernels differ at their ends as often as at their
 * beginnings.
 *
 *     void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>> → void at::native::ve…AddFunctor<float>>
 */
export function shortenMiddle(text: string, letters: number): string {
  if (text.length <= letters || letters < 1) return text;
  const kept = Math.max(0, letters - 1);
  const end = Math.floor(kept / 2);
  return `${text.slice(0, kept - end)}…${end === 0 ? '' : text.slice(-end)}`;
}
