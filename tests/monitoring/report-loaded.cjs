// Loaded before an entry with NODE_OPTIONS=--require: answers each message with the packages that the process has loaded.
const { Module } = require('node:module');

process.on('message', (message) => {
  if (message !== 'loaded?') return;
  const names = Object.keys(Module._cache).flatMap(
    (file) => file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? [],
  );
  process.send({ type: 'loaded', packages: [...new Set(names)] });
});
