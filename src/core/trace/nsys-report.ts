/** Reports begin with this text, and newer ones with the version that wrote them: `…Report 2024@6@2@225-…`. */
const signature = 'NVIDIA Tegra Profiler Report ';

/**
 * The version of Nsight Systems that wrote a report (`.nsys-rep`, `.qdrep`): "2024.6.2", or "" where the head holds
 * none, as before 2023; null for anything that is no such report.
 */
export function nsysReportVersion(head: Uint8Array): string | null {
  const start = Array.from(head.subarray(0, 256), byte => String.fromCharCode(byte)).join('');
  if (!start.startsWith(signature)) return null;
  const version = /^(\d+)@(\d+)@(\d+)/.exec(start.slice(signature.length));
  return version ? version.slice(1, 4).join('.') : '';
}

/** Whether a version of Nsight Systems reads what another one has written; an unknown one ("") is given the chance. */
export function canRead(reader: string, writer: string): boolean {
  if (writer === '' || reader === '') return true;
  // Year and release: those that differ in the last number alone read each other's.
  const rank = (version: string) => version.split('.', 2).reduce((sum, part) => sum * 1000 + Number(part), 0);
  return rank(reader) >= rank(writer);
}

/** What makes a report of raw events (`.qdstrm`), where Nsight Systems is installed whole; it lies in a folder `host-…`. */
export function importCommand(rawName: string): string {
  return `QdstrmImporter -i "${rawName}"`;
}

/** What to run where that version is installed. */
export function exportCommand(reportName: string): string {
  return `nsys export --type sqlite "${reportName}"`;
}
