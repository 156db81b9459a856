import {getOrAdd} from '../table/get-or-add.js';
import type {ReportInput} from '../figures/report-input.js';
import {numberOrNull, type Cell, type ReportDefinition, type ReportRows} from './report.js';
import type {UnifiedMemoryEvent} from '../figures/report-details.js';
import {compareText, megabytesColumn, numberColumn, textColumn} from './summary.js';

const about =
  'page faults or migrations of CUDA unified memory (nsys --cuda-um-cpu-page-faults, --cuda-um-gpu-page-faults)';
const rowsWord = 'rows';
const usualRows = 10;

/** `um_sum`: migrations and page faults by virtual address. @see docs/metrics.md#um-sum */
export const unifiedMemorySummary: ReportDefinition = {
  id: 'um_sum',
  oldId: 'unifiedmemory',
  title: 'Unified Memory Analysis Summary',
  options: [],
  numberOptions: [rowsWord],
  details: () => ['unifiedMemory'],
  about,
  columns: [
    textColumn('Virtual Address', 'base address of the pages, hexadecimal'),
    megabytesColumn('HtoD Migration Size', 'bytes that were moved from the host to a device'),
    megabytesColumn('DtoH Migration Size', 'bytes that were moved from a device to the host'),
    numberColumn('CPU Page Faults', 'page faults of the CPU at the address'),
    numberColumn('GPU Page Faults', 'page faults of GPUs at the address'),
    {
      title: 'Migration Throughput',
      unit: 'megabytesPerSecond',
      decimals: 3,
      definition: 'bytes that were moved either way ÷ the durations of the migrations',
    },
  ],
  rows: summaryRows,
};

/** `um_total_sum`: the same for all addresses together. @see docs/metrics.md#um-total-sum */
export const unifiedMemoryTotals: ReportDefinition = {
  id: 'um_total_sum',
  oldId: 'unifiedmemorytotals',
  title: 'Unified Memory Totals Summary',
  options: [],
  details: () => ['unifiedMemory'],
  about,
  columns: [
    megabytesColumn('Total HtoD Migration Size', 'bytes that were moved from the host to a device'),
    megabytesColumn('Total DtoH Migration Size', 'bytes that were moved from a device to the host'),
    numberColumn('Total CPU Page Faults', 'page faults of the CPU'),
    numberColumn('Total GPU Page Faults', 'page faults of GPUs'),
    textColumn('Minimum Virtual Address', 'lowest address of a fault or migration, hexadecimal'),
    textColumn('Maximum Virtual Address', 'highest address of a fault or migration, hexadecimal'),
  ],
  rows: totalRows,
};

/** `um_cpu_page_faults_sum`: page faults of the CPU by cause. @see docs/metrics.md#um-cpu-page-faults-sum */
export const cpuPageFaultSummary: ReportDefinition = {
  id: 'um_cpu_page_faults_sum',
  oldId: 'umcpupagefaults',
  title: 'Unified Memory CPU Page Faults Summary',
  options: [],
  details: () => ['unifiedMemory'],
  about: 'page faults of the CPU in CUDA unified memory (nsys --cuda-um-cpu-page-faults)',
  columns: [
    numberColumn('CPU Page Faults', 'number of page faults'),
    textColumn('CPU Instruction Address', 'function, or address of the instruction, that caused them'),
  ],
  rows: cpuFaultRows,
};

/** The events at one address, or in total. */
interface Sums {
  toDeviceBytes: number;
  toHostBytes: number;
  migrationNs: number;
  cpuFaults: number;
  gpuFaults: number;
  leastAddress: number;
  mostAddress: number;
}

function emptySums(): Sums {
  const counts = {toDeviceBytes: 0, toHostBytes: 0, migrationNs: 0, cpuFaults: 0, gpuFaults: 0};
  return {...counts, leastAddress: Infinity, mostAddress: -Infinity};
}

function add(sums: Sums, {sort, address, count, durationNs}: UnifiedMemoryEvent): void {
  if (sort === 'cpu-fault') sums.cpuFaults += count;
  else if (sort === 'gpu-fault') sums.gpuFaults += count;
  else {
    sums[sort === 'to-device' ? 'toDeviceBytes' : 'toHostBytes'] += count;
    sums.migrationNs += durationNs;
  }
  if (Number.isNaN(address)) return;
  sums.leastAddress = Math.min(sums.leastAddress, address);
  sums.mostAddress = Math.max(sums.mostAddress, address);
}

/** Returns the events in scope. */
function eventsOf({details: {unifiedMemory}, scope}: ReportInput): UnifiedMemoryEvent[] {
  return (unifiedMemory ?? []).filter(({slice, instant}) =>
    slice >= 0 ? scope.slices?.[slice] !== 0 : scope.instants?.[instant] !== 0,
  );
}

function summaryRows(input: ReportInput): ReportRows {
  const byAddress = new Map<number, Sums>();
  for (const event of eventsOf(input)) {
    if (!Number.isNaN(event.address)) add(getOrAdd(byAddress, event.address, emptySums), event);
  }
  const rows = [...byAddress].sort(
    ([addressA, a], [addressB, b]) => (throughputOf(b) ?? -1) - (throughputOf(a) ?? -1) || addressA - addressB,
  );
  const limit = input.options.map(option => Number(option.slice(rowsWord.length + 1)))[0] ?? usualRows;
  return {
    length: Math.min(limit, rows.length),
    cells: row => {
      const [address, sums] = rows[row];
      return [hexadecimal(address), ...sizeCells(sums), sums.cpuFaults, sums.gpuFaults, throughputOf(sums)];
    },
    ...(rows.length > limit && {
      footer: [`${String(rows.length - limit)} further addresses are left out: um_sum:${rowsWord}=N shows N.`],
    }),
  };
}

function totalRows(input: ReportInput): ReportRows {
  const events = eventsOf(input);
  const sums = emptySums();
  for (const event of events) add(sums, event);
  const cells = (): Cell[] => [
    ...sizeCells(sums),
    sums.cpuFaults,
    sums.gpuFaults,
    hexadecimal(sums.leastAddress),
    hexadecimal(sums.mostAddress),
  ];
  return {length: events.length === 0 ? 0 : 1, cells};
}

function cpuFaultRows(input: ReportInput): ReportRows {
  const counts = new Map<string, number>();
  for (const {sort, count, instruction} of eventsOf(input)) {
    if (sort === 'cpu-fault') counts.set(instruction ?? '', (counts.get(instruction ?? '') ?? 0) + count);
  }
  const rows = [...counts].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]));
  return {length: rows.length, cells: row => [rows[row][1], rows[row][0] === '' ? null : rows[row][0]]};
}

function sizeCells({toDeviceBytes, toHostBytes}: Sums): Cell[] {
  return [toDeviceBytes, toHostBytes].map(bytes => numberOrNull(bytes / 1e6));
}

/** Returns MB per second; null if nothing was moved. */
function throughputOf({toDeviceBytes, toHostBytes, migrationNs}: Sums): number | null {
  return migrationNs === 0 ? null : Number((((toDeviceBytes + toHostBytes) / migrationNs) * 1e3).toFixed(3));
}

function hexadecimal(address: number): string | null {
  return Number.isFinite(address) ? `0x${address.toString(16)}` : null;
}
