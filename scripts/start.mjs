// `npm start`, and `npm run web|worker|retention|migrate` with the name of the part. The packages may not be installed yet,
// so this file and what it imports are plain JavaScript and use only Node's own modules.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/start/main.ts', process.argv.slice(2));
