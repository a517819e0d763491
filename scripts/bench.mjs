// `npm run bench -- ingest|delivery|memory|sign-in|export|erasure|retention|light-load|fairness|chaos`: builds what is
// stale, so that what is measured is what is shipped. The last three take `--quick`:
// - light-load: CPU per event, latency and idle cost of `npm start` at 200 events/s,
//   beside the CPU of one committed INSERT on the same machine.
// - fairness: latency of a healthy tenant, and of new tenants, beside 1,600
//   endpoints that hang, answer 500 or refuse connections.
// - chaos: steady load while web, worker and PostgreSQL are killed and database connections freeze; nothing that got 202
//   may be missing. `--minutes N`, `--seed N`, `--only TEXT` (the kinds of fault whose names contain it).
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/bench/main.ts', process.argv.slice(2));
