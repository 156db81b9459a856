import {join} from 'node:path';
import {beforeAll, describe, expect} from 'vitest';
import {itEachFile} from '../support/each-file.js';
import {temporaryFolder} from '../support/project.js';
import {dataFiles, dataFolder, hasData} from '../support/real-data.js';
import {writeStandInNsys} from '../support/stand-in-nsys.js';
import {opensEveryTrace, Workbench} from './support/workbench.js';

describe.skipIf(!hasData)('every real profile, opened in one window', () => {
  const all = [...dataFiles('kineto', '.json.gz'), ...dataFiles('nsys', '.sqlite'), ...dataFiles('nsys', '.nsys-rep')];
  let workbench: Workbench;
  beforeAll(async () => {
    // The tests cannot rely on an nsys that reads those reports.
    const settings = {
      'gpuLens.nsys': writeStandInNsys(join(temporaryFolder(), 'nsys'), '2099.1.1', null),
      ...opensEveryTrace,
    };
    workbench = await Workbench.start({folder: dataFolder, settings});
  });

  itEachFile(all)('$name opens, or says in one sentence why not', async ({name}) => {
    await workbench.openFile(name);
    const timeline = await workbench.webview('GPU Timeline');
    if (name.endsWith('.nsys-rep')) {
      await expect
        .poll(() => timeline.locator('.message').textContent())
        .toMatch(/could not be exported by .*: Exportation error: Version number is invalid/);
    } else {
      await expect.poll(() => timeline.locator('.title').textContent()).toBe(name);
      await expect.poll(() => timeline.getByTestId('window').textContent()).toMatch(/ – \d/);
    }
    await workbench.screenshotAtRest(`real-${name}`);
    await workbench.command('View: Close Editor');
  });
});
