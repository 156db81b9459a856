/** Said with every report: nsys stores more than people expect. */
export const disclosureNote =
  'An nsys report holds the environment variables of every process that nsys saw, and what the program printed: look through it before you share it.';

/** What may not be done: the run goes well without it. */
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

/** What ends a run: where all went well, such words are the program's own. */
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
 * What a person must be told of what nsys printed, one sentence for each thing.
 *
 * @param isWhole whether it ended well and left a report: the program's words are among what was printed
 */
export function nsysSentences(output: string, isWhole: boolean): string[] {
  const rules = isWhole ? permissionRules : [...permissionRules, ...failureRules];
  return rules.filter(([pattern]) => pattern.test(output)).map(([, sentence]) => sentence);
}

/**
 * The line in which nsys says that it failed before it ran its target, in a way that may be gone when it is tried again;
 * null for none. A program may say the same: ask where nsys failed and left nothing.
 */
export function startFailure(output: string): string | null {
  const said =
    /Local Endpoint is not available|Failed to (?:create|start) (?:the )?(?:session|daemon|agent)|Agent launcher failed|Throw in function QuadDCommon::ProcessWaiter/i;
  const line = output.split(/[\r\n]+/).find(one => said.test(one));
  return line?.trim().slice(0, 300) ?? null;
}
