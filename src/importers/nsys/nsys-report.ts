/** Reports begin with this text and the version that wrote them: `NVIDIA Tegra Profiler Report 2024@6@2@225-…`. */
const signature = 'NVIDIA Tegra Profiler Report ';

/**
 * The version of Nsight Systems that wrote a report (`.nsys-rep`, `.qdrep`): "2024.6.2", or "" where the head holds
 * none; null for anything that is no such report.
 */
export function nsysReportVersion(head: Buffer): string | null {
  const start = head.toString('latin1', 0, 256);
  if (!start.startsWith(signature)) return null;
  const version = /^(\d+)@(\d+)@(\d+)/.exec(start.slice(signature.length));
  return version ? version.slice(1, 4).join('.') : '';
}
