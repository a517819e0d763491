import { CliError, type CliErrorFields, EXIT } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { USER_AGENT } from '@/lib/cli/session/session-store';
import { isApiError } from '@/lib/client';
import type { TunnelEnd, TunnelHandle, TunnelStatus } from '@/lib/tunnel/client';
import type { AnsweredRequest } from '@/lib/tunnel/client/local-server';

interface ConnectionOptions {
  projectId: string;
  tunnelId: string;
  target: URL;
  takeover: boolean;
  onStatus(status: TunnelStatus): void;
  onRequest(request: AnsweredRequest): void;
}

/** A tunnel that stays connected until it is closed, or can never connect again. */
export class Connection {
  /** Resolves when the tunnel is connected for the first time. @throws CliError when it never will be */
  readonly connected: Promise<void>;
  /** Resolves when it was closed. @throws CliError when it ended for another reason */
  readonly ended: Promise<void>;
  /** Whether another client serves the tunnel now. */
  isTakenOver = false;
  #handle: TunnelHandle | null = null;
  #isClosed = false;
  #signInError: CliError | null = null;
  #token: string | null = null;

  constructor(
    private readonly context: Context,
    private readonly options: ConnectionOptions,
  ) {
    let onConnected = () => {};
    const connected = new Promise<void>((resolve) => {
      onConnected = resolve;
    });
    this.ended = this.#run(onConnected);
    this.connected = Promise.race([
      connected,
      this.ended.then(() => {
        throw new Error('The tunnel was closed.');
      }),
    ]);
    this.connected.catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#handle?.close();
  }

  async #run(onConnected: () => void): Promise<void> {
    // A token may be refused before it expires by the clock of this machine: another one is tried once.
    for (let mayRefresh = true; ; ) {
      const { end, reason, wasConnected } = await this.#connect(onConnected);
      if (wasConnected) mayRefresh = true;
      if (this.#signInError !== null) throw this.#signInError;
      if (this.#isClosed || end === null) return;
      this.isTakenOver = end.kind === 'replaced';
      if (mayRefresh && (await this.#refreshAfter(end))) {
        mayRefresh = false;
        continue;
      }
      throw await endReason(this.context, this.options.tunnelId, { end, reason });
    }
  }

  async #connect(onConnected: () => void) {
    const { options, context } = this;
    let wasConnected = false;
    let [end, reason]: [TunnelEnd | null, string | null] = [null, null];
    // Loaded by this command alone: WebSockets and TLS would slow down the start of all others.
    const { openTunnel } = await import('@/lib/tunnel/client');
    this.#handle = openTunnel({
      url: context.url,
      projectId: options.projectId,
      tunnelId: options.tunnelId,
      target: options.target,
      takeover: options.takeover,
      env: context.terminal.env,
      userAgent: USER_AGENT,
      authorization: () => this.#authorization(),
      onRequest: options.onRequest,
      onStatus: (status) => {
        if (status.state === 'connected') {
          wasConnected = true;
          onConnected();
        }
        if (status.state === 'closed') ({ end, reason } = status);
        else options.onStatus(status);
      },
    });
    if (this.#isClosed) await this.#handle.close();
    await this.#handle.closed;
    return { end: end as TunnelEnd | null, reason: reason as string | null, wasConnected };
  }

  /** A session that has ended does not come back; a server that cannot be reached may. */
  async #authorization(): Promise<string> {
    const { access } = this.context;
    if (access.kind === 'operator') throw new Error('An operator has no project.');
    if (access.kind === 'key') return `Bearer ${access.apiKey}`;
    try {
      this.#token = await access.session.accessToken();
      return `Bearer ${this.#token}`;
    } catch (error) {
      if (error instanceof CliError) {
        this.#signInError = error;
        void this.#handle?.close();
      }
      throw error;
    }
  }

  async #refreshAfter(end: TunnelEnd): Promise<boolean> {
    const { access } = this.context;
    if (end.kind !== 'refused' || end.status !== 401 || access.kind !== 'session' || this.#token === null) return false;
    await access.session.refresh(this.#token);
    return true;
  }
}

const BY_STATUS: Record<number, Pick<CliErrorFields, 'code'> & Partial<CliErrorFields>> = {
  401: { exitCode: EXIT.notSignedIn, code: 'not_signed_in', next: 'eds login' },
  403: { exitCode: EXIT.forbidden, code: 'forbidden' },
  404: { exitCode: EXIT.notFound, code: 'not_found', next: 'eds tunnels list' },
  409: {
    code: 'tunnel_in_use',
    next: 'Add --takeover to replace it, or create another tunnel with eds tunnels create <name> and use --tunnel <name>.',
  },
};

/** Says why a tunnel ended for good, and with which exit code. */
async function endReason(
  context: Context,
  tunnelId: string,
  { end, reason }: { end: TunnelEnd | null; reason: string | null },
): Promise<Error> {
  const text = reason ?? 'The tunnel was closed.';
  if (end?.kind === 'replaced') {
    const next = 'Add --takeover to take it back, or use another tunnel with --tunnel.';
    return new CliError(text, 'taken_over', { next });
  }
  if (end?.kind === 'refused') {
    const { code, ...others } = BY_STATUS[end.status] ?? { code: 'refused' };
    return new CliError(text, code, others);
  }
  if (end?.kind !== 'access_ended') return new CliError(text, 'closed');
  // The relay says only that the access has ended; the API says why.
  const why = await context.client.tunnels.get(tunnelId).catch((error) => error);
  if (why instanceof CliError || isApiError(why)) return why;
  return new CliError(text, 'forbidden', { exitCode: EXIT.forbidden });
}
