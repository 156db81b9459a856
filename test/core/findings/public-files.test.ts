import {expect} from 'vitest';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {idleCauses, idleOf} from '../../../src/core/findings/rules/idle-sql.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {columnDetails} from '../../../src/sql/needed-details.js';
import {TraceDatabase} from '../../../src/sql/trace-database.js';
import {cell, findingsIn} from '../../support/findings.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';

const files = [...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite')];

itEachFile(files)(
  'findings in $name are numbers that their queries give one by one, and causes of idle time add up to all of it',
  async ({path}) => {
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, columnDetails);
    const database = new TraceDatabase();
    database.addDetails(details);
    for (const {evidence} of await findingsIn(trace, details)) {
      for (const {query, value} of evidence) expect(await cell(trace, query, database)).toBe(value);
    }
    const devices = new Set(trace.gpuOperations.device);
    if (devices.size !== 1) return;
    let idleNs = 0;
    for (const cause of idleCauses) idleNs += Number(await cell(trace, idleOf(cause), database));
    expect(idleNs).toBe(gpuSummary(trace).idleNs);
  },
);
