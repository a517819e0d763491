// `npm run demo`: starts the service unless it runs, fills it with 30 days of history, receives its deliveries and keeps sending
// events until Ctrl-C. `npm run demo -- http://localhost:3000` uses a running instance: DATABASE_URL is its database, if it is not the
// embedded one of DATA_DIR. `--add-to-existing` adds the demo to a database that has other organizations.
// The instance must be allowed to deliver to loopback addresses, as it is while APP_BASE_URL is one.
import './start/check-node.mjs';

const { launch } = await import('./start/launch.mjs');
await launch('scripts/demo/main.ts', process.argv.slice(2), { usesDatabase: true });
