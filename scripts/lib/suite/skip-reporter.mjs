// A reporter of vitest that writes the reasons given to `context.skip(reason)`, which its JSON reporter leaves out.
import {writeFileSync} from 'node:fs';

/** Writes `{"file › test": "reason"}` to the file that GPU_LENS_SKIP_NOTES names. */
export default class SkipReporter {
  onTestRunEnd(modules) {
    const notes = {};
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const {note} = test.result();
        if (note) notes[`${module.relativeModuleId} › ${test.fullName.replaceAll(' > ', ' ')}`] = note;
      }
    }
    writeFileSync(process.env.GPU_LENS_SKIP_NOTES, JSON.stringify(notes));
  }
}
