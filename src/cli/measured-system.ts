import {plural} from '../core/format/count.js';
import {formatQuantity} from '../core/format/quantity.js';
import type {System} from '../core/estimate/system.js';
import {calibrate, calibratedSystem} from '../core/roofline/calibrate.js';
import {reportInput} from '../core/figures/report-input.js';
import {wholeTrace} from '../core/scope/report-scope.js';
import {loadReportDetails} from '../importers/report-details.js';
import type {CommandContext} from './command.js';
import {loadProfile} from './load-trace.js';

/** A system with what a profile measured in the place of what its data sheet says; tells what that was. @throws TraceError */
export async function measuredSystem(file: string, system: System, context: CommandContext): Promise<System> {
  const {path, trace} = await loadProfile(file);
  const details = await loadReportDetails(path, trace, new Set(['shapes', 'collectives']));
  const calibration = calibrate(reportInput({trace, details, scope: wholeTrace}));
  const {matrixFlopsPerSecond, hbmBytesPerSecond, measured} = calibration;
  const found = [
    ...Object.entries(matrixFlopsPerSecond).map(
      ([name, value]) => `${name} products ${formatQuantity(value, 'FLOP/s')}`,
    ),
    ...(hbmBytesPerSecond === null ? [] : [`memory ${formatQuantity(hbmBytesPerSecond, 'B/s')}`]),
    ...(measured.length === 0 ? [] : [`${plural(measured.length, 'size')} of collectives`]),
  ];
  context.tell(
    found.length > 0
      ? `Note: measured by the profile: ${found.join(', ')}.`
      : 'Note: the profile measured nothing: it has neither shapes of large operators nor sizes of collectives.',
  );
  return calibratedSystem(system, calibration);
}
