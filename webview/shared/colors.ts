export * from '../../src/core/layout/mark-colors.js';
