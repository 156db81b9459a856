import {chmodSync, copyFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** How a stand-in differs from an nsys that works. */
export interface ReplayFaults {
  /** Fails to start this many times. */
  readonly failedStarts?: number;
  /** Leaves only raw events, as Debian's does; with or without an importer beside it. */
  readonly raw?: 'with-importer' | 'without-importer';
  /** Ends without a report, as if its capture range was never opened. */
  readonly leavesNothing?: boolean;
  /** Additional output. */
  readonly says?: string;
  /** Output before it runs its target. */
  readonly saysFirst?: string;
  /** Where it hangs: before it runs anything, after its target, in an export, in the importer. */
  readonly hangs?: 'version' | 'profile' | 'export' | 'importer';
  /**
   * What it leaves if it hangs after its target: a report, raw events among the temporary files, or half a report
   * beside them.
   */
  readonly hangsWith?: 'report' | 'temporary' | 'half-report';
  /** Ignores a signal that requests its end. */
  readonly isDeaf?: boolean;
  readonly version?: string;
}

const agentName = 'nsys-agent';
const agentSeconds = '601';
/** The command line of the process that a hanging stand-in becomes. */
export const hangingAgent = `${agentName} ${agentSeconds}`;

/**
 * Writes a stand-in for `nsys` that runs its target, and leaves a recorded run as the report: for machines without
 * nsys. Returns `…/target-x/nsys`; its importer is in `…/host-x`, as in an installation.
 *
 * @param recorded an SQLite export, which "export" copies
 */
export function writeReplayingNsys(folder: string, recorded: string, faults: ReplayFaults = {}): string {
  const {failedStarts = 0, raw, leavesNothing = false, says = '', saysFirst = '', hangs, version = '2024.6.2'} = faults;
  const ending = raw === undefined ? 'nsys-rep' : 'qdstrm';
  const nsys = join(folder, 'target-x', 'nsys');
  // Its background process has its own session, and keeps its output open.
  const agent = join(folder, 'target-x', agentName);
  const hang = [
    ...(faults.isDeaf === true ? [`trap '' TERM;`] : []),
    `setsid '${agent}' 600 &`,
    `exec '${agent}' ${agentSeconds}`,
  ];
  const hangIn = (place: ReplayFaults['hangs']) => (hangs === place ? hang.join(' ') : ':');
  write(nsys, [
    `if [ "$1" = --version ]; then ${hangIn('version')}; echo "NVIDIA Nsight Systems version ${version}.225-1"; exit 0; fi`,
    'if [ "$1 $2" = "profile --help" ]; then echo "	-t,--trace=\n	--cuda-graph-trace=\n	--python-backtrace=\n	--capture-range=\n	--kill=\n	--capture-range-end=\n	   stop-shutdown"; exit 0; fi',
    `if [ "$1" = export ]; then ${hangIn('export')}; grep -q recorded "$8" || exit 7; cp '${recorded}' "$7"; exit 0; fi`,
    '[ "$1" = profile ] || exit 9',
    `echo "$@" >> '${folder}/calls'`,
    `starts=$(wc -l < '${folder}/calls')`,
    `if [ "$starts" -le ${String(failedStarts)} ]; then echo "Local Endpoint is not available" >&2; exit 1; fi`,
    'shift',
    'while [ "${1#-}" != "$1" ]; do case "$1" in --output=*) out="${1#--output=}";; esac; shift; done',
    `printf '%s' '${saysFirst}' >&2`,
    '"$@"; status=$?',
    `printf '%s' '${says}' >&2`,
    ...(hangs === 'profile' ? [...leftBehind(faults), ...hang] : []),
    ...(leavesNothing ? [] : [`echo recorded > "$out.${ending}"`]),
    'exit $status',
  ]);
  copyFileSync('/bin/sleep', agent);
  if (raw === 'with-importer') write(join(folder, 'host-x', 'QdstrmImporter'), [hangIn('importer'), 'cp "$2" "$4"']);
  return nsys;
}

function leftBehind({hangsWith}: ReplayFaults): string[] {
  if (hangsWith === 'report') return ['echo recorded > "$out.nsys-rep"'];
  if (hangsWith === undefined) return [];
  return [
    'temporary="$TMPDIR/nsys-report-1a2b.qdstrm"; echo recorded > "$temporary"',
    `echo "Generating '$temporary'"`,
    ...(hangsWith === 'half-report' ? ['mv "$temporary" "$out.qdstrm"; echo half > "$out.nsys-rep"'] : []),
  ];
}

function write(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(path, 0o755);
}
