import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {findNsys} from '../../src/launch/programs/find-nsys.js';
import {isProgram} from '../../src/launch/programs/find-program.js';

/** Four steps of two nested NVTX ranges. */
const nvtxSource = `#include <nvtx3/nvToolsExt.h>
#include <unistd.h>
int main() {
  for (int step = 0; step < 4; step++) {
    nvtxRangePushA("step \\u00e4");
    nvtxRangePushA("inner");
    usleep(2000);
    nvtxRangePop();
    nvtxRangePop();
  }
}
`;

/**
 * The same with a first step of 5 s: nsys begins to record a moment after the range that it waits for was opened, does
 * not report when, and records nothing of a range that has ended by then.
 */
export const capturedSource = nvtxSource.replace('usleep(2000)', 'usleep(step == 0 ? 5000000 : 2000)');

/**
 * Two forked processes with ranges of their own, beside one of the first process. They end by exit(): nsys passes on
 * its buffered data in its exit handlers, which _exit() skips.
 */
export const forkingSource = `#include <nvtx3/nvToolsExt.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main() {
  nvtxRangePushA("parent");
  usleep(2000);
  nvtxRangePop();
  for (int child = 0; child < 2; child++) {
    if (fork() == 0) {
      nvtxRangePushA("child");
      usleep(20000);
      nvtxRangePop();
      exit(0);
    }
  }
  while (wait(0) > 0) {
  }
}
`;

/**
 * Returns `home/bench`, compiled from `home/bench.cpp`, and this machine's nsys; a sentence if the program cannot be
 * compiled, or if there is no nsys.
 */
export async function compileNvtxProgram(
  home: string,
  program = nvtxSource,
): Promise<{nsys: string; program: string} | string> {
  const nsys = await findNsys({setting: null});
  if (nsys === null) return 'no nsys is installed';
  const headers = [join(dirname(realpathSync(nsys)), 'nvtx', 'include'), ...cudaHeaders()];
  const include = headers.find(path => existsSync(join(path, 'nvtx3', 'nvToolsExt.h')));
  if (include === undefined) return 'no NVTX headers were found';
  if (!(await isProgram('/usr/bin/g++'))) return 'there is no g++';
  mkdirSync(home, {recursive: true});
  writeFileSync(join(home, 'bench.cpp'), program);
  const args = ['-O1', `-I${include}`, join(home, 'bench.cpp'), '-o', join(home, 'bench'), '-ldl'];
  const {status, stderr} = spawnSync('/usr/bin/g++', args, {encoding: 'utf8'});
  return status === 0 ? {nsys, program: join(home, 'bench')} : `g++ failed: ${stderr.slice(0, 200)}`;
}

function cudaHeaders(): string[] {
  const names = existsSync('/usr/local') ? readdirSync('/usr/local').filter(name => name.startsWith('cuda')) : [];
  return names.map(name => join('/usr/local', name, 'include'));
}
