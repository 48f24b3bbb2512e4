'use strict';
// For require(): the same as index.mjs.
exports.load = async (options) => (await import('./index.mjs')).load(options);
exports.default = exports.load;
