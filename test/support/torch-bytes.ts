/** Formats bytes as `torch.cuda._memory_viz` does. */
export function formatBytesOfTorch(bytes: number): string {
  let value = bytes;
  for (const unit of ['', 'Ki', 'Mi', 'Gi', 'Ti']) {
    if (Math.abs(value) < 1024) return `${value.toFixed(1)}${unit}B`;
    value /= 1024;
  }
  return `${value.toFixed(1)}PiB`;
}
