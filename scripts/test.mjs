// `npm test`, also on a clean clone: installs, builds once, and runs the unit, database and browser tests.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/test/main.ts', []);
