// `npm run bench -- NAME`, and without a name a list of names: rebuilds what has changed, then measures the production build.
// These take `--quick`:
// - light-load: CPU per event, latency and idle cost of `npm start` at 200 events/s,
//   compared with the CPU of one committed INSERT on the same machine.
// - fairness: latency of a healthy tenant, and of new tenants, while 1,600
//   endpoints hang, answer 500 or refuse connections.
// - hostile-tenants: latency of a healthy tenant beside attacks of a stranger or of another tenant. `--only TEXT`.
// - alerts: time and CPU of the checks of alerts, of a large project and of many small ones.
// - event-types: what the catalogue of event types costs an event, by policy, as a ratio to a project without types. `--only TEXT`.
// - scale: throughput of one and two web processes, and of one and two workers.
// - chaos: steady load while web, worker and PostgreSQL are killed and database connections freeze; every event that got
//   202 must arrive. `--minutes N`, `--seed N`, `--only TEXT` (only faults whose name contains TEXT).
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/bench/main.ts', process.argv.slice(2), { usesDatabase: true });
