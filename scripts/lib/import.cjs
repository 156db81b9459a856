// In a file of its own: an old Node cannot read `import()`.
'use strict';
const {pathToFileURL} = require('node:url');

/** Runs a script to its end. What the person can mend is shown as its sentence, everything else with its stack. */
module.exports = path => {
  import(pathToFileURL(path).href).catch(error => {
    const isFull = error?.code === 'ENOSPC' || error?.code === 'EDQUOT';
    if (error?.name === 'SetupError') console.error(error.message);
    else if (isFull) console.error(`The disk or your share of it is full: free some space (${error.message}).`);
    else console.error(error);
    process.exitCode = 1;
  });
};
