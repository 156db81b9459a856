// node scripts/on-node.cjs NAME …: runs scripts/NAME.mjs, where Node is new enough.
//
// In the syntax of 2009 on purpose: an old Node must be able to read it, to say that it is too old.
'use strict';

var engines = require('../package.json').engines;
var required = /\d+\.\d+\.\d+/.exec(engines.node)[0];

if (isOlder(process.versions.node, required)) {
  var found = required + ' or later, and this is ' + process.versions.node;
  console.error('GPU Lens needs Node.js ' + found + ': install it from https://nodejs.org.');
  process.exit(1);
}
process.argv.splice(1, 2, require('path').join(__dirname, process.argv[2] + '.mjs'));
require('./lib/import.cjs')(process.argv[1]);

function isOlder(version, than) {
  var numbers = version.split('.').map(Number);
  var others = than.split('.').map(Number);
  for (var i = 0; i < others.length; i++) {
    if (numbers[i] !== others[i]) return numbers[i] < others[i];
  }
  return false;
}
