import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {
  efficiencyFor,
  efficiencyTables,
  type EfficiencyTable,
} from '../../../src/core/predicted-gpu/efficiency-table.js';
import {classNs, fitEfficiency, workPoints, type WorkPoint} from '../../../src/core/predicted-gpu/fit-efficiency.js';
import {predictedWork} from '../../../src/core/predicted-gpu/gpu-work-of.js';
import {stepError} from '../../../src/core/predicted-gpu/predict-gpu.js';
import {predictedClasses, type PredictedClass} from '../../../src/core/predicted-gpu/work-class.js';
import {reportInput} from '../../../src/core/figures/report-input.js';
import {systemOfTrace} from '../../../src/core/roofline/roofs.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {median} from '../../../src/core/base/median.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {stepErrorOf, type StepError} from '../../support/predicted-steps.js';
import {project} from '../../support/project.js';
import {dataFiles, hasData} from '../../support/real-data.js';

/** A profile of a GPU whose data sheet is known, with shapes. */
interface Measured {
  readonly name: string;
  readonly id: string;
  readonly points: readonly WorkPoint[];
  /** What the table that has not seen its chip makes of its operators, and the GPU work that was measured, ns. */
  readonly predictedNs: number;
  readonly measuredNs: number;
  readonly step: StepError | null;
}

/** Fewer operators of a class say too little of a profile. */
const leastPoints = 5;

async function measured(): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const {name, path} of dataFiles('kineto', '.json.gz')) {
    const trace = await openTrace(path);
    const system = systemOfTrace(trace)?.preset;
    if (!system) continue;
    const details = await loadReportDetails(path, trace, new Set(['shapes', 'allShapes']));
    const points = workPoints(reportInput({trace, details, scope: wholeTrace}), system.system);
    if (points.length === 0) continue;
    const work = predictedWork(trace, details.allShapes ?? new Map(), system.system, efficiencyFor(system.id));
    const {slices, gpuOperations} = trace;
    all.push({
      step: stepErrorOf(trace, work),
      name,
      id: system.id,
      points,
      predictedNs: work.reduce((sum, {gpuNs}) => sum + gpuNs, 0),
      measuredNs: gpuOperations.slice.reduce((sum, slice) => sum + (slices.durationNs[slice] ?? 0), 0),
    });
  }
  return all;
}

describe.skipIf(!hasData)('efficiency, measured on public profiles', async () => {
  const profiles = hasData ? await measured() : [];
  const ofClass = (points: readonly WorkPoint[], kind: PredictedClass) => points.filter(point => point.class === kind);

  it.each(Object.entries(efficiencyTables))('the table without %s is what the other profiles give', (chip, table) => {
    const others = profiles.filter(({id}) => !id.startsWith(chip));
    for (const kind of predictedClasses) {
      const known = others.map(({points}) => ofClass(points, kind)).filter(({length}) => length >= leastPoints);
      const fitted = known.length === 0 ? null : fitEfficiency(known);
      expect({kind, floorNs: table[kind]?.floorNs}).toEqual({kind, floorNs: fitted?.floorNs});
      if (fitted) expect(table[kind]?.efficiency).toBeCloseTo(fitted.efficiency, 3);
    }
  });

  it('is off by what docs/performance.md says', () => {
    const documented = readFileSync(join(project, 'docs', 'performance.md'), 'utf8');
    const rows = [
      ...predictedClasses.flatMap(kind =>
        profiles.flatMap(({name, id, points}) => errorRow(efficiencyFor(id), kind, ofClass(points, kind), name)),
      ),
      ...profiles.map(
        ({name, predictedNs, measuredNs}) =>
          `| all GPU work | ${name} | | | ${percent(predictedNs / measuredNs - 1)} |`,
      ),
    ];
    expect(rows.filter(row => !plain(documented).includes(plain(row)))).toEqual([]);
  });

  it('is off in a whole step by what docs/performance.md says, and what stands beside predictions', () => {
    const documented = readFileSync(join(project, 'docs', 'performance.md'), 'utf8');
    const steps = profiles.flatMap(({name, step}) => (step ? [{name, ...step}] : []));
    const rows = steps.map(
      ({name, error, predictedShare}) => `| ${name} | ${(100 * predictedShare).toFixed(0)} % | ${percent(error)} |`,
    );
    expect(rows.filter(row => !plain(documented).includes(row))).toEqual([]);
    const errors = steps.map(({error}) => Math.abs(error));
    expect(stepError.profiles).toBe(steps.length);
    expect(stepError.median).toBeCloseTo(median(errors), 2);
    expect(stepError.most).toBeCloseTo(Math.max(...errors), 2);
  });
});

/** A line of a table of the documents without what Prettier aligns its columns with. */
function plain(text: string): string {
  return text.replace(/ +/g, ' ');
}

function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(0)} %`;
}

/** Class, profile, operators, median error of an operator, error of their sum. */
function errorRow(table: EfficiencyTable, kind: PredictedClass, points: readonly WorkPoint[], name: string): string[] {
  const figures = table[kind];
  if (points.length === 0 || !figures) return [];
  const errors = points.map(({leastNs, measuredNs}) => Math.abs(classNs(figures, leastNs) / measuredNs - 1));
  const sum = (of: (point: WorkPoint) => number) => points.reduce((total, point) => total + of(point), 0);
  const ofSum = sum(({leastNs}) => classNs(figures, leastNs)) / sum(({measuredNs}) => measuredNs) - 1;
  return [
    `| ${kind} | ${name} | ${String(points.length)} | ${(100 * median(errors)).toFixed(0)} % | ${percent(ofSum)} |`,
  ];
}
