import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';

/**
 * Writes a stand-in for `nsys` that prints the real one's output: for machines without it, and for versions that are
 * not available. Its "export" copies `sqlite`, or fails as nsys does if that is null.
 * Each export adds a line with its output's path to `PATH.outputs`.
 *
 * @param goOn a file for which the export waits at 10 %, for a minute at most
 */
export function writeStandInNsys(path: string, version: string, sqlite: string | null, goOn?: string): string {
  const lines = [
    '#!/bin/sh',
    `if [ "$1" = --version ]; then echo "NVIDIA Nsight Systems version ${version}.225-2024abc"; exit 0; fi`,
    `[ "$1 $2 $3 $4 $5 $6" = "export --type sqlite --force-overwrite true --output" ] || exit 9`,
    `echo "$7" >>'${path}.outputs'`,
    `printf 'Exporting 7 events: [=  10%%   ]\\r'`,
    ...(goOn === undefined ? [] : [`for i in $(seq 600); do [ -e '${goOn}' ] && break; sleep 0.1; done`]),
    `printf 'Exporting 7 events: [== 100%%]\\n'`,
    sqlite === null ? 'echo "Exportation error: Version number is invalid" >&2; exit 1' : `cp '${sqlite}' "$7"`,
  ];
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o755);
  return path;
}
