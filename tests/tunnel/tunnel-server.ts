import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { openTunnel, type TunnelClientOptions, type TunnelHandle } from '@/lib/tunnel/client';
import type { TunnelRelay, TunnelRelayOptions } from '@/lib/tunnel/relay/tunnel-relay';
import type { Tunnel } from '@/lib/tunnel/schema';
import { call } from '@/tests/http/api-request';
import { startTunnelServer, type TunnelServer } from './start-tunnel-server';

/** Starts one for the tests of a file. */
export function useTunnelServer(overrides: () => Partial<TunnelRelayOptions> = () => ({})): {
  readonly origin: string;
  readonly relay: TunnelRelay;
} {
  let started: TunnelServer;
  beforeAll(async () => {
    started = await startTunnelServer(overrides());
  });
  afterAll(() => started.stop());
  return {
    get origin() {
      return started.origin;
    },
    get relay() {
      return started.relay;
    },
  };
}

/** A tunnel of a project. */
export interface TestTunnel {
  id: string;
  projectId: string;
  key: string;
  /** `/t/` and its token. */
  prefix: string;
}

/** Creates a tunnel through the API. */
export async function makeTunnel(project: { id: string; key: string }, body: object = {}): Promise<TestTunnel> {
  const path = `/api/v1/projects/${project.id}/tunnels`;
  const made = await call<Tunnel & { url: string }>('POST', path, { apiKey: project.key, body });
  expect(made.status, made.text).toBe(201);
  const prefix = new URL(made.json.url).pathname.replace(/\/$/, '');
  return { id: made.json.id, projectId: project.id, key: project.key, prefix };
}

/** Returns the options of a client of a tunnel. */
export function clientOf(origin: string, tunnel: TestTunnel, target: URL): TunnelClientOptions {
  return {
    url: origin,
    projectId: tunnel.projectId,
    tunnelId: tunnel.id,
    target,
    authorization: async () => `Bearer ${tunnel.key}`,
    env: {},
  };
}

/** Connects a client, which is closed after the test. */
export async function connectClient(options: TunnelClientOptions): Promise<TunnelHandle> {
  const handle = openTunnel(options);
  onTestFinished(() => handle.close());
  await handle.connected;
  return handle;
}
