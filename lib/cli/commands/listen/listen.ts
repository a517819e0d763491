import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, describeError, EXIT, usageError } from '@/lib/cli/cli-error';
import { findSource } from '@/lib/cli/commands/sources';
import { findTunnel } from '@/lib/cli/commands/tunnels';
import type { Context } from '@/lib/cli/context';
import { flag, text, texts } from '@/lib/cli/options';
import { openBrowser } from '@/lib/cli/session/open-browser';
import { command } from '@/lib/cli/spec';
import type { AnsweredRequest } from '@/lib/tunnel/client/local-server';
import type { Tunnel } from '@/lib/tunnel/schema';
import { Connection } from './connection';
import { listenForKeys } from './keys';
import { LiveView } from './live-view';
import { endAll, type Receiver, receiveEvents, receiveSource, secretOf, type WantedEvents } from './receivers';

/** The log is written without waiting for it, usually within a tenth of a second. */
const TRIES = 5;
const PAUSE_MS = 300;

export const listen = command({
  summary: 'Receive requests and events on this machine.',
  details:
    'Gives your server a public URL through a tunnel and shows each request, with the type of the event that it brings. Uses this machine’s tunnel unless `--tunnel` ' +
    'names another. `--events` forwards the project’s events to the server, and `--source` a source’s incoming events. A ' +
    'path, as in `4000/webhooks`, sets where they are forwarded.\n\n' +
    'The endpoint created for `--events` is paused when the command ends, and the next `eds listen` with the same tunnel and path ' +
    'uses it again, with the same signing secret. The destination created for `--source` is deleted.\n\n' +
    'Keys: `r` replays the last request, `o` opens the tunnel in the dashboard, `q` quits.',
  args: { target: { description: 'port, or URL such as `http://localhost:4000/webhooks`' } },
  options: {
    events: texts('-e, --events <type>', 'receive the project’s events of this type, such as `order.*` (repeatable)'),
    customer: text('--customer <id|uid>', 'with `--events`, receive the events of this customer'),
    source: text('-s, --source <id|name>', 'receive this source’s incoming events'),
    tunnel: text('-t, --tunnel <id|name>', 'use this tunnel'),
    bodies: flag('--bodies', 'show the body of each request, up to 64 KiB'),
    takeover: flag('--takeover', 'replace another client that is connected to the tunnel'),
  },
  examples: {
    'listen 4000': 'Give the server on port 4000 a public URL.',
    "listen 4000/webhooks --events 'order.*'": 'Receive the project’s events that start with order.',
    "listen 4000 -e '*' --customer cus_8f2c1": 'Receive what one of your customers receives.',
    "listen 4000 -e '*' --bodies": 'Receive all events of the project, and show their content.',
    'listen 4000 --source github': 'Receive incoming events of the source “github”.',
    'listen 4000 --json': 'Write each request as a line of JSON.',
  },
  run: async (context, { args, options }) => {
    const { out, signal } = context;
    const target = readTarget(args.target);
    const { events, customer } = options;
    if (customer !== undefined && events.length === 0) throw usageError('Use --customer with --events.');
    const projectId = await context.projectId();
    const source = options.source === undefined ? null : await findSource(context, { source: options.source });
    const tunnel = await chooseTunnel(context, options.tunnel);
    if (source !== null || events.length > 0) refusePassword(tunnel);
    const view = new LiveView(context, options.bodies);
    const connection = new Connection(context, {
      projectId,
      tunnelId: tunnel.id,
      target: target.origin,
      takeover: options.takeover,
      onStatus: (status) => view.onStatus(status),
      onRequest: (request) => view.onRequest(request),
    });
    const stop = () => void connection.close();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const receivers: Receiver[] = [];
    let ignoreKeys: (() => void) | null = null;
    try {
      await connection.connected;
      const url = `${tunnel.url}${target.path}`;
      const asked = { url, types: events, customer };
      const endpoint = events.length > 0 ? await beginEvents(context, asked, receivers) : null;
      if (source !== null) await receiveSource(context, { source, url }, receivers);
      const { id, name } = tunnel;
      const dashboardUrl = `${context.url}/projects/${projectId}/tunnels/${id}`;
      const details = { projectId, tunnel: { id, name }, dashboardUrl };
      view.begin(url, `${target.origin.origin}/${target.path}`.replace(/\/$/, ''), {
        ...details,
        events,
        endpoint,
        source: source === null ? null : { id: source.id, name: source.name },
      });
      const whose = customer === undefined ? 'the project’s events' : `the events of the customer ${customer}`;
      if (endpoint !== null) out.note(`Receiving ${whose}: ${events.join(', ')}`);
      if (endpoint?.secret) out.note(`Signing secret: ${endpoint.secret}`);
      if (source !== null) out.note(`Receiving the events of the source ${source.name}`);
      ignoreKeys = takeKeys(context, { tunnelId: id, view, dashboardUrl, quit: stop });
      await connection.ended;
    } finally {
      ignoreKeys?.();
      await connection.close();
      if (!connection.isTakenOver) await endAll(context, receivers);
      else for (const { name } of receivers) out.note(`Kept the ${name}, since the client that took over may use it.`);
    }
    // Ctrl-C ends it in the same way as q, but with its own exit code.
    signal.throwIfAborted();
  },
});

/** Begins to receive events. @returns the endpoint, with its signing secret; null for who must not see it */
async function beginEvents(context: Context, asked: WantedEvents, receivers: Receiver[]) {
  const id = await receiveEvents(context, asked, receivers);
  return { id, secret: await secretOf(context, id) };
}

interface KeyActions {
  tunnelId: string;
  view: LiveView;
  dashboardUrl: string;
  quit(): void;
}

function takeKeys(context: Context, { tunnelId, view, dashboardUrl, quit }: KeyActions): (() => void) | null {
  const { out, terminal } = context;
  const actions: Record<string, () => void> = {
    q: quit,
    o: () => {
      const isOpened = openBrowser(terminal, dashboardUrl);
      out.note(`${isOpened ? 'Opened' : 'Open'} ${dashboardUrl}`);
    },
    r: () => {
      if (view.last === null) return out.note('No requests yet.');
      out.note(`Replaying ${view.last.method} ${view.last.path}`);
      replayLast(context, tunnelId, view.last).catch((error) => out.note(describeError(error).message));
    },
  };
  const end = listenForKeys(terminal, (key) => actions[key.toLowerCase()]?.());
  if (end !== null) out.note('Keys: r replays the last request, o opens the dashboard, q quits.');
  return end;
}

/**
 * Finds the tunnel with an ID or name; without one the tunnel of this machine, which has its name and is created if missing.
 * @throws CliError when no tunnel has the ID or name, or several have the name
 */
async function chooseTunnel(context: Context, given: string | undefined): Promise<Tunnel> {
  const { client, terminal, out } = context;
  if (given !== undefined) return await findTunnel(context, { tunnel: given });
  const name = terminal.hostName.slice(0, 100) || 'eds';
  for await (const each of client.tunnels.list({ limit: 100 })) if (each.name === name) return each;
  const created = await client.tunnels.create({ name });
  out.note(`Created the tunnel ${name} for this machine.`);
  return created;
}

/** Refuses a tunnel whose password keeps the service's own deliveries out. @throws CliError */
function refusePassword({ name, id, basicAuth }: Tunnel): void {
  if (basicAuth === null) return;
  throw new CliError(`The tunnel ${name} requires a password, which deliveries don’t send.`, 'tunnel_has_password', {
    next: `Use another tunnel with --tunnel, or remove the password in the dashboard (tunnel ${id}).`,
  });
}

/**
 * Sends the last request through its tunnel again.
 * @throws CliError when it is not in the log; ApiError request_not_kept when its body is not complete there
 */
async function replayLast({ client, signal }: Context, tunnelId: string, last: AnsweredRequest): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const { data } = await client.tunnels.listRequests(tunnelId, { limit: 20 });
    const logged = data.find(({ method, path }) => method === last.method && path === last.path);
    if (logged !== undefined) return void (await client.tunnels.replayRequest(tunnelId, logged.id));
    if (tries < TRIES) await sleep(PAUSE_MS, undefined, { signal });
  }
  throw new CliError('The last request isn’t in the tunnel’s log.', 'not_logged');
}

/** A server on this machine, or in its network. */
interface Target {
  origin: URL;
  /** Where it takes events in, without a slash at the start: empty, or such as `webhooks/orders`. */
  path: string;
}

const PORT = /^:?(\d{1,5})(\/.*)?$/;
const HOST_AND_PORT = /^(?:[\w.-]+|\[[\da-f:.]+\]):\d{1,5}(?:\/.*)?$/i;

/**
 * Reads a port, `host:port` or URL. A port means `localhost`, where a server may listen on either of its two addresses.
 * @throws CliError when it is none of them
 */
export function readTarget(text: string): Target {
  const [, port, path = ''] = PORT.exec(text) ?? [];
  const withScheme = HOST_AND_PORT.test(text) ? `http://${text}` : text;
  const url = parse(port === undefined ? withScheme : `http://localhost:${port}${path}`);
  if (url !== null) return { origin: new URL(url.origin), path: url.pathname.slice(1) };
  throw new CliError(`“${text}” is neither a port nor the URL of a server.`, 'invalid_target', {
    exitCode: EXIT.usage,
    next: 'Give a port such as 4000, or a URL such as http://localhost:4000/webhooks.',
  });
}

function parse(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.port === '0') return null;
  return `${url.username}${url.password}${url.search}${url.hash}` === '' ? url : null;
}
