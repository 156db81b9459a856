import type {LaunchPlace} from '../../core/trace/trace.js';
import type {NsysDatabase} from './database/nsys-database.js';

/** Returns the version of nsys that wrote the export; null if the file has none (before 2022). */
export function readVersion(db: NsysDatabase): string | null {
  for (const table of ['META_DATA_EXPORT', 'EXPORT_META_DATA']) {
    if (!db.has(table, 'name', 'value')) continue;
    const rows = db.rows<[unknown]>(`select value from ${table} where name = 'EXPORT_PRODUCT_VERSION'`);
    for (const [value] of rows) if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** Returns the version of the GPU's driver; null if the file has none. */
export function readDriver(db: NsysDatabase): string | null {
  if (!db.has('TARGET_INFO_SYSTEM_ENV', 'name', 'value')) return null;
  const rows = db.rows<[unknown]>("select value from TARGET_INFO_SYSTEM_ENV where name = 'NvDriverVersion' limit 1");
  for (const [value] of rows) if (typeof value === 'string' && value !== '') return withDots(value);
  return null;
}

/** Some versions of nsys omit the dots: 5303002 is 530.30.02, and 58160 is 581.60. */
function withDots(version: string): string {
  return version.replace(/^(\d{3})(\d{2})$/, '$1.$2').replace(/^(\d{3})(\d{2,3})(\d{2})$/, '$1.$2.$3');
}

/** Variables that launchers set for each process: torchrun, Open MPI, MPICH and Intel MPI, PALS, Slurm. */
const rankVariables = ['RANK', 'OMPI_COMM_WORLD_RANK', 'PMI_RANK', 'PMIX_RANK', 'PALS_RANKID', 'SLURM_PROCID'];
const sizeVariables = ['WORLD_SIZE', 'OMPI_COMM_WORLD_SIZE', 'PMI_SIZE', 'PALS_NRANKS', 'SLURM_NTASKS'];

/** Returns the host and rank of the recorded program, as far as the file has them. */
export function readLaunch(db: NsysDatabase): LaunchPlace {
  const environment = readEnvironment(db);
  const first = (names: readonly string[]): number | null => {
    const text = names.map(name => environment.get(name)).find(value => value !== undefined && /^\d{1,6}$/.test(value));
    return text === undefined ? null : Number(text);
  };
  const rank = first(rankVariables);
  const worldSize = first(sizeVariables);
  // Slurm's values for a whole allocation do not apply to a program that was started in it by other means.
  const isSize = rank !== null && worldSize !== null && rank < worldSize;
  return {host: readHost(db), rank, worldSize: isSize ? worldSize : null, epochNs: readEpoch(db)};
}

/** Rows have names like `PROCESS_0:ENVIRONMENT_VARIABLE` and values like `RANK="3"`. */
function readEnvironment(db: NsysDatabase): Map<string, string> {
  const found = new Map<string, string>();
  if (!db.has('META_DATA_CAPTURE', 'name', 'value')) return found;
  const sql = "select value from META_DATA_CAPTURE where name = 'PROCESS_0:ENVIRONMENT_VARIABLE' limit 10000";
  for (const [value] of db.rows<[unknown]>(sql)) {
    const parts = typeof value === 'string' ? /^([A-Z_]{1,40})="?(\d{1,6})"?$/.exec(value) : null;
    if (parts) found.set(parts[1], parts[2]);
  }
  return found;
}

function readHost(db: NsysDatabase): string | null {
  if (!db.has('TARGET_INFO_SYSTEM_ENV', 'name', 'value')) return null;
  const rows = db.rows<[unknown]>("select value from TARGET_INFO_SYSTEM_ENV where name = 'Hostname' limit 2");
  const hosts = [...rows].flatMap(([value]) =>
    typeof value === 'string' && value !== '' ? [value.slice(0, 255)] : [],
  );
  // A report of several machines does not say on which of them a process ran.
  return hosts.length === 1 ? hosts[0] : null;
}

function readEpoch(db: NsysDatabase): string | null {
  if (!db.has('TARGET_INFO_SESSION_START_TIME', 'utcEpochNs')) return null;
  const sql = 'select cast(utcEpochNs as text) from TARGET_INFO_SESSION_START_TIME limit 2';
  const found = [...db.rows<[unknown]>(sql)];
  const [[text] = [null]] = found;
  return found.length === 1 && typeof text === 'string' && /^\d{1,19}$/.test(text) ? text : null;
}

/**
 * Returns the end of the recording in ns since the export's start; null if the file does not have it. A file of several
 * sessions has a row for each.
 */
export function readRecordingEnd(db: NsysDatabase): number | null {
  if (!db.has('ANALYSIS_DETAILS', 'duration')) return null;
  let endNs = -Infinity;
  for (const [duration] of db.rows<[unknown]>('select duration from ANALYSIS_DETAILS limit 1000')) {
    if (typeof duration === 'number' && duration > 0) endNs = Math.max(endNs, duration);
  }
  return Number.isFinite(endNs) ? endNs : null;
}
