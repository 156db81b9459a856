/** Said with every report: nsys stores more than people expect. */
export const disclosureNote =
  'An nsys report holds the environment variables of every process that nsys saw, and what the program printed: look through it before you share it.';

const rules: readonly (readonly [RegExp, string])[] = [
  [
    /ERR_NVGPUCTRPERM|permission to (?:access|use) (?:the )?(?:NVIDIA )?GPU performance counters/i,
    'nsys may not read the GPU’s counters: load the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as an administrator (https://developer.nvidia.com/ERR_NVGPUCTRPERM).',
  ],
  [
    /perf_event_paranoid|CPU (?:IP\/backtrace sampling|context switch)[^.]*(?:not supported|not permitted|disabled)/i,
    'nsys may not sample the CPU: set kernel.perf_event_paranoid to 2 or less (sudo sysctl kernel.perf_event_paranoid=2); GPU work is recorded without it.',
  ],
  [
    /no space left on device|disk (?:is )?full|not enough (?:disk )?space/i,
    'The disk is full: what nsys wrote is not complete.',
  ],
  [
    /unrecogni[sz]ed option|illegal trace option/i,
    'This nsys does not know an option that it was given: install a newer one.',
  ],
];

/** What a person must be told of what nsys printed, one sentence for each thing. */
export function nsysSentences(output: string): string[] {
  return rules.filter(([pattern]) => pattern.test(output)).map(([, sentence]) => sentence);
}

/** Whether nsys failed before it ran its target, in a way that is gone when it is tried again. */
export function isStartFailure(output: string): boolean {
  return /Local Endpoint is not available|Failed to (?:create|start) (?:the )?(?:session|daemon|agent)|Agent launcher failed/i.test(
    output,
  );
}
