export * from '../../src/core/layout/label.js';
