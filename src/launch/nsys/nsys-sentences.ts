/** Shown with every report: nsys stores more than people expect. */
export const disclosureNote =
  'An nsys report holds the environment variables of every process that nsys saw, and what the program printed: look through it before you share it.';

/** Missing permissions, without which the run still succeeds. */
const permissionRules: readonly (readonly [RegExp, string])[] = [
  [
    /ERR_NVGPUCTRPERM|permission to (?:access|use) (?:the )?(?:NVIDIA )?GPU performance counters/i,
    'nsys may not read the GPU’s counters: load the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as an administrator (https://developer.nvidia.com/ERR_NVGPUCTRPERM).',
  ],
  [
    /perf_event_paranoid|CPU (?:IP\/backtrace sampling|context switch)[^.]*(?:not supported|not permitted|disabled)/i,
    'nsys may not sample the CPU: set kernel.perf_event_paranoid to 2 or less (sudo sysctl kernel.perf_event_paranoid=2); GPU work is recorded without it.',
  ],
];

/** Failures that end a run. After a successful run, such text is the program's own output. */
const failureRules: readonly (readonly [RegExp, string])[] = [
  [
    /no space left on device|disk (?:is )?full|not enough (?:disk )?space/i,
    'The disk is full: what nsys wrote is not complete. Make room, or keep runs on another disk (gpuLens.run.outputFolder, --output).',
  ],
  [
    /unrecogni[sz]ed option|illegal trace option/i,
    'This nsys does not know an option that it was given: install a newer one.',
  ],
];

/**
 * Returns one sentence for each problem in nsys's output that the user must know.
 *
 * @param isWhole whether nsys succeeded and left a report; the output contains the program's own too
 */
export function nsysSentences(output: string, isWhole: boolean): string[] {
  const rules = isWhole ? permissionRules : [...permissionRules, ...failureRules];
  return rules.filter(([pattern]) => pattern.test(output)).map(([, sentence]) => sentence);
}

/**
 * Returns the line in which nsys reports a failure to start that may not recur; null for none. A program may print the
 * same, so call this only if nsys failed and left nothing.
 */
export function startFailure(output: string): string | null {
  const said =
    /Local Endpoint is not available|Failed to (?:create|start) (?:the )?(?:session|daemon|agent)|Agent launcher failed|Throw in function QuadDCommon::ProcessWaiter/i;
  const line = output.split(/[\r\n]+/).find(one => said.test(one));
  return line?.trim().slice(0, 300) ?? null;
}
