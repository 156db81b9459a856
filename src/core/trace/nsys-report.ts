/** Reports begin with this text; in newer ones the version that wrote them follows: `…Report 2024@6@2@225-…`. */
const signature = 'NVIDIA Tegra Profiler Report ';

/**
 * Returns the version of Nsight Systems that wrote a report (`.nsys-rep`, `.qdrep`): "2024.6.2", or "" if the header
 * holds none, as before 2023; null if the file is not such a report.
 */
export function nsysReportVersion(head: Uint8Array): string | null {
  const start = Array.from(head.subarray(0, 256), byte => String.fromCharCode(byte)).join('');
  if (!start.startsWith(signature)) return null;
  const version = /^(\d+)@(\d+)@(\d+)/.exec(start.slice(signature.length));
  return version ? version.slice(1, 4).join('.') : '';
}

/** Returns whether a version of Nsight Systems can read reports of another one; true if either is unknown (""). */
export function canRead(reader: string, writer: string): boolean {
  if (writer === '' || reader === '') return true;
  // Year and release: versions that differ only in the last number can read each other's reports.
  const rank = (version: string) => version.split('.', 2).reduce((sum, part) => sum * 1000 + Number(part), 0);
  return rank(reader) >= rank(writer);
}

/**
 * Returns the command that converts raw events (`.qdstrm`) to a report. It is part of full Nsight Systems
 * installations, in a folder `host-…`.
 */
export function importCommand(rawName: string): string {
  return `QdstrmImporter -i "${rawName}"`;
}

/** Returns the command to run where that version is installed. */
export function exportCommand(reportName: string): string {
  return `nsys export --type sqlite "${reportName}"`;
}
