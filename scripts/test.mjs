// `npm test`, also on a clean clone: installs, builds once, and runs the unit, database and browser tests. `npm run test:long` runs
// those that take long and seldom find anything.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/test/main.ts', process.argv.slice(2));
