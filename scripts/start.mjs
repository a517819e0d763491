// `npm start`, and `npm run web|worker|retention|migrate` by the part's name. Until the packages are in place only Node's
// own modules are at hand, so everything here and in what it imports first is plain JavaScript.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/start/main.ts', process.argv.slice(2));
