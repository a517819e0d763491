import { createServer } from 'node:http';
import next from 'next';
import { api, subtrees } from '@/lib/api/table';
import { watchFamiliarNetworks } from '@/lib/auth/read-familiar-networks';
import { clientAddressResolver } from '@/lib/http/client-address';
import { createDocuments } from '@/lib/http/documents';
import { listen } from '@/lib/http/listen';
import { createPageRoutes } from '@/lib/http/page-routes';
import { createStaticFiles, IMMUTABLE } from '@/lib/http/static-files';
import { toMatcher } from '@/lib/http/table';
import { createWebServer } from '@/lib/http/web-server';
import { abortLongTasks, settleBackground } from '@/lib/platform/background';
import { watchCells } from '@/lib/platform/cells/watch-cells';
import { SECOND_MS } from '@/lib/platform/clock';
import { loadConfigOrExit } from '@/lib/platform/config/config';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { sendConsoleToLog, sendWarningsToLog } from '@/lib/platform/console-to-log';
import { closeDatabase } from '@/lib/platform/db';
import { closeHashing } from '@/lib/platform/hashing/passwords';
import { log } from '@/lib/platform/log';
import { requireMigrations } from '@/lib/platform/migrate/require-migrations';
import { exitForBadConfiguration, onStop, reportReady } from '@/lib/platform/process';
import { startTracing } from '@/lib/platform/tracing/start-tracing';
import { allowedOriginsOf } from '@/lib/portal/settings';
import { createRelay, setTunnelRelay } from '@/lib/tunnel/relay/current-relay';
import { tunnelOriginWarning } from '@/lib/tunnel/tunnel-origin-warning';

// The web process: the dashboard and the API on PORT. `npm start` runs it with the worker and retention; it also runs alone.

const config = loadConfigOrExit(REQUIRED_OF.web);
sendConsoleToLog();
sendWarningsToLog();
await requireMigrations();
const stopWatchingCells = await watchCells();
const stopTracing = await startTracing('web', process.env);
// Without a server of its own, Next handles upgrades on ours and drops every request that offers one, such as h2c.
const unused = createServer();
const app = next({ dev: false, dir: process.cwd(), customServer: true, quiet: true, httpServer: unused });
await app.prepare();

const warning = tunnelOriginWarning(config);
if (warning !== null && !process.connected) log().warn(warning);
const relay = createRelay(portOfServer);
setTunnelRelay(relay);
const server = createWebServer({
  match: toMatcher(api, subtrees),
  next: app.getRequestHandler(),
  clientAddress: clientAddressResolver(config.TRUSTED_PROXIES),
  ownPrefixes: ['/api', '/downloads', '/metrics', '/t'],
  tunnels: relay,
  serveStatic: createStaticFiles([
    { folder: '.next/static', prefix: '/_next/static/', cacheControl: IMMUTABLE },
    { folder: 'public', prefix: '/', cacheControl: 'no-cache' },
  ]),
  serveDocument: createDocuments({
    folder: '.next/server/app',
    prefix: '/docs/',
    baseUrl: config.baseUrl,
    framed: {
      route: '/portal/{projectId}',
      file: 'portal/any.html',
      framedBy: ({ params }) => allowedOriginsOf(params.projectId ?? ''),
    },
  }),
  findPage: createPageRoutes('.next/routes-manifest.json'),
});

const { port, close } = await listen(server, config.PORT).catch((error: NodeJS.ErrnoException) => {
  const reason = error.code === 'EADDRINUSE' ? 'is in use by another program' : error.message;
  return exitForBadConfiguration(`PORT: ${config.PORT} ${reason}`);
});
// It connects again by itself.
void relay.start();
watchFamiliarNetworks();
log().info({ port }, 'web is ready');
reportReady({ port });

onStop(stop, { delayMs: config.STOP_DELAY_SECONDS * SECOND_MS });

async function stop(): Promise<void> {
  stopWatchingCells();
  abortLongTasks();
  const closed = close();
  server.closeIdleConnections();
  await relay.stop();
  await closed;
  await app.close();
  await settleBackground();
  await closeHashing();
  await closeDatabase();
  await stopTracing();
}

function portOfServer(): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : config.PORT;
}
