// `npm run bench -- ingest|delivery|memory|sign-in|export|erasure|retention`: builds what is stale, so that what is
// measured is what is shipped.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/bench/main.ts', process.argv.slice(2));
