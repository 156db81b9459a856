import {checkRunBudgets} from '../core/compare/run-budgets.js';
import {compareFlames} from '../core/compare/compare-flames.js';
import {compareRuns} from '../core/compare/run-comparison.js';
import {haveShapes} from '../core/compare/run-comparison-input.js';
import {compareMany} from '../core/compare/run-matrix.js';
import {callLines} from '../core/lines/call-lines.js';
import {compiledCallTimings, compiledRegions} from '../core/lines/compiled-regions.js';
import {flameGraph} from '../core/questions/flame.js';
import {rooflineAnswer} from '../core/questions/roofline.js';
import {traceInfo} from '../core/questions/info.js';
import {launchSources} from '../core/questions/launch-sources.js';
import {kernelWorks} from '../core/lines/kernel-works.js';
import {lineDetails} from '../core/lines/line-details.js';
import {lineTimings} from '../core/lines/line-timings.js';
import {rangeTree} from '../core/questions/range-tree.js';
import {rangeNames} from '../core/questions/range-names.js';
import {processChoices} from '../core/scope/processes.js';
import {modulesShown} from '../core/figures/modules-shown.js';
import {rangePlace} from '../core/figures/range-places.js';
import {sourceLines} from '../core/lines/source-lines.js';
import {stallsOf} from '../core/lines/stalls.js';
import {stepSpans} from '../core/scope/step-spans.js';
import {stepsOf} from '../core/scope/steps.js';
import {timelineSummary} from '../core/questions/tracks.js';
import {topLists} from '../core/summary/summary-tops.js';
import {pathSummary} from '../core/what-if/recorded/path-summary.js';
import {timeSummary} from '../core/summary/time-summary.js';
import {launchSites} from '../core/attribution/launch-sites.js';
import {rangeChoiceOf} from '../core/attribution/range-stack.js';
import {rowDurations} from '../core/tabs/row-durations.js';
import {rowPlace, sliceOfRow} from '../core/tabs/row-place.js';
import type {TableQuery} from '../core/tabs/table-page.js';
import {tabNeeds} from '../core/tabs/tab-list.js';
import {firstTab, tableChoices, tableTabs} from '../core/tabs/table-tabs.js';
import type {EngineRequests, EngineStart, ProfileId, TableSidecar} from '../protocol/engine-messages.js';
import type {Handlers} from '../protocol/rpc.js';
import {readCompiledGraphs} from '../importers/compiled-graphs.js';
import {copiesParts} from '../importers/copied-part.js';
import {loadReportDetails} from '../importers/report-details.js';
import {recogniseFile} from '../importers/recognise-file.js';
import {stopIfCancelled} from './stop-if-cancelled.js';
import {TableStore, type TableSource} from './table-store.js';
import {ShapeStore} from './shape-store.js';
import {jobOfFiles, UnpackedRanks} from './job-of-files.js';
import {memoryHandlers} from './memory-handlers.js';
import {openingTold} from './opening-told.js';
import {OpenProfiles} from './open-profiles.js';
import {OpenSnapshots} from './open-snapshots.js';
import {predictedLinesOf} from './predicted-lines-of.js';
import {savePart} from './save-part.js';
import {timelineHandlers} from './timeline-handlers.js';
import {whatIfOf} from './what-if-of.js';

/** Views get at most this many steps. A profile with more has ranges with such a name, but no training loop. */
const mostSteps = 20_000;

/**
 * Opens traces and answers questions about them. One per window, in a process of its own.
 *
 * @param program identifies the program that imports; caches of other programs are not read
 */
export function createEngine({settings, profiles: kept}: EngineStart, program: string): Handlers<EngineRequests> {
  const profiles = new OpenProfiles(settings, program, kept);
  const tables = new TableStore();
  const shapes = new ShapeStore();
  const unpacked = new UnpackedRanks(profiles);
  const tableSource = async (
    profile: ProfileId,
    {tab}: TableQuery,
    {kernels = [], moduleClasses = {}}: TableSidecar,
  ): Promise<TableSource> => {
    const file = {path: profiles.file(profile).path, trace: await profiles.trace(profile)};
    const otherRanks = tabNeeds(tab, 'otherRanks') ? await profiles.otherRanks(profile) : [];
    return {file, kernels, moduleClasses, otherRanks};
  };
  const comparedRun = async ({profile, sidecar, selection}: EngineRequests['compare']['params']['base']) => ({
    ...{trace: await profiles.trace(profile), sidecar, selection},
  });
  const withShapes = async (side: EngineRequests['compare']['params']['base']) => {
    const run = await comparedRun(side);
    const {path} = profiles.file(side.profile);
    const {inputShapes = null} = await loadReportDetails(path, run.trace, new Set(['inputShapes']));
    return {...run, shapes: inputShapes};
  };

  return {
    'engine/alive': () => undefined,
    'engine/configure'(changed) {
      profiles.configure(changed);
      return undefined;
    },
    'file/format': ({path}) => recogniseFile(path),
    async 'profile/open'({path}, {signal, report}) {
      const {id, stamp, trace} = await profiles.open(path, {signal, ...openingTold(report)});
      try {
        await stopIfCancelled(signal);
        const info = traceInfo(trace);
        await stopIfCancelled(signal);
        // Attributing all GPU work would take longer than everything else here.
        const steps = stepsOf(trace).length === 0 ? [] : stepSpans(trace, launchSites(trace)).slice(0, mostSteps);
        const {rank, worldSize} = trace.meta;
        const choices = {steps, processes: processChoices(trace), modules: modulesShown(trace)};
        return {
          id,
          stamp,
          info,
          ...timelineSummary(trace),
          ...choices,
          job: {rank, worldSize},
          copiesParts: copiesParts(trace),
        };
      } catch (error) {
        profiles.close(id);
        throw error;
      }
    },
    'profile/close'({profile}) {
      profiles.close(profile);
      return undefined;
    },
    'profile/compiled-graphs': async ({profile}, {signal}) => {
      const trace = await profiles.trace(profile);
      return readCompiledGraphs(profiles.file(profile), trace, {signal, unpacked: profiles.unpacked});
    },
    'profile/save-part': (asked, {signal, report}) =>
      savePart(profiles, asked, signal, part => {
        report({part});
      }),
    ...timelineHandlers(profiles),
    ...memoryHandlers(
      new OpenSnapshots(
        () => profiles.limits,
        (path, options) => profiles.readOnce(path, options),
      ),
      profile => profiles.trace(profile),
    ),
    'range/places': async ({profile, patterns}) => rangePlace(await profiles.trace(profile), patterns),
    'ranges/tree': async ({profile, of, operators}) => rangeTree(await profiles.trace(profile), of, operators),
    'lines/details': async ({profile, patterns, of}) => lineDetails(await profiles.trace(profile), patterns, of),
    'lines/timings': async ({profile, patterns, of}) => lineTimings(await profiles.trace(profile), patterns, of),
    'lines/predicted': asked => predictedLinesOf(profiles, asked),
    'lines/compiled': async ({profile, of}) => compiledRegions(await profiles.trace(profile), of),
    'lines/kernels': async ({profile, names, of}) => kernelWorks(await profiles.trace(profile), names, of),
    'lines/compiled-calls': async ({profile, calls, of}) =>
      compiledCallTimings(await profiles.trace(profile), calls, of),
    'lines/calls': async ({profile, of}) => callLines(await profiles.trace(profile), of),
    'lines/stalls': async ({profile, patterns}) => stallsOf(await profiles.trace(profile), patterns),
    'ranges/names': async ({profile}) => rangeNames(await profiles.trace(profile)),
    lines: async ({profile, of, classes}) => sourceLines(await profiles.trace(profile), of, classes),
    'summary/tops': async ({profile, selection}) => topLists(await profiles.trace(profile), selection),
    'summary/path': async ({profile}) => pathSummary(await profiles.trace(profile)),
    summary: async ({profile}) => timeSummary(await profiles.trace(profile)),
    'tables/list': async ({profile}) => {
      const trace = await profiles.trace(profile);
      const tabs = tableTabs(trace);
      return {tabs, first: firstTab(trace, tabs), choices: tableChoices(trace)};
    },
    'tables/page': async ({profile, query, firstRow, count, ...sidecar}) =>
      tables.page(await tableSource(profile, query, sidecar), query, firstRow, count),
    'tables/chart': async ({profile, query, column, ...sidecar}) =>
      tables.chart(await tableSource(profile, query, sidecar), query, column),
    'tables/text': async ({profile, query, format, ...sidecar}) =>
      tables.text(await tableSource(profile, query, sidecar), query, format),
    'tables/place': async ({profile, row, name, selection, stack}) =>
      rowPlace(await profiles.trace(profile), row, name, selection, rangeChoiceOf(stack)),
    'tables/durations': async ({profile, row, name, selection, stack}) =>
      rowDurations(await profiles.trace(profile), row, name, selection, rangeChoiceOf(stack)),
    'tables/launches': async ({profile, row, name, selection, stack}) => {
      const trace = await profiles.trace(profile);
      return launchSources(trace, sliceOfRow(trace, row, name), selection, rangeChoiceOf(stack));
    },
    'what-if': (asked, {signal, report}) =>
      whatIfOf(profiles, asked, signal, part => {
        report({part});
      }),
    compare: async ({base, changed}) => compareRuns(await comparedRun(base), await comparedRun(changed)),
    'compare/shapes': async ({base, changed}) => {
      const before = await withShapes(base);
      // Two parts of one profile have the same shapes.
      const after =
        changed.profile === base.profile
          ? {...(await comparedRun(changed)), shapes: before.shapes}
          : await withShapes(changed);
      const runs = [before, after] as const;
      return haveShapes(runs) ? compareRuns(...runs) : null;
    },
    'compare/flames': async ({base, changed, noise, canJudge}) =>
      compareFlames(await comparedRun(base), await comparedRun(changed), {}, noise, canJudge),
    'compare/many': async ({runs}) => compareMany(await Promise.all(runs.map(comparedRun))),
    budgets: async ({budgets, run, base}) =>
      checkRunBudgets(budgets, await comparedRun(run), base && (await comparedRun(base))),
    job: async (asked, {signal, report}) =>
      jobOfFiles(profiles, asked, signal, progress => {
        report({progress});
      }),
    'job/file': ({place}, {signal}) => unpacked.file(place, signal),
    flame: async ({profile, query}) => flameGraph(await profiles.trace(profile), query),
    roofline: async ({profile, query}) => {
      const trace = await profiles.trace(profile);
      return rooflineAnswer(trace, await shapes.of(profiles.file(profile).path, trace), query);
    },
  };
}
