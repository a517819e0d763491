// `npm run fuzz`: sends every route of the API hostile requests, 1,000 each unless told otherwise, and ends with 1 when an
// answer is one that a server must not give. `--seed N` (else one of its own, which is printed), `--variations N`,
// `--only TEXT` (the routes whose names contain it), `--index N` (of each route that one request alone).
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/fuzz/main.ts', process.argv.slice(2));
