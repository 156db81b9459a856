// In a file of its own: an old Node cannot read `import()`.
'use strict';
const {pathToFileURL} = require('node:url');

/** Runs a script to its end. What the person can mend is shown as its sentence, everything else with its stack. */
module.exports = path => {
  import(pathToFileURL(path).href).catch(error => {
    console.error(error?.name === 'SetupError' ? error.message : error);
    process.exitCode = 1;
  });
};
