'use client';

import { useParams } from 'next/navigation';
import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import { useProjectPath } from '@/components/projects/use-projects';
import { useFirstHundred, useResource } from '@/components/projects/use-resource';
import type {
  CreateTunnelBody,
  ReplayedTunnelRequest,
  TestResponse,
  Tunnel,
  TunnelRequestDetail,
  UpdateTunnelBody,
} from '@/lib/tunnel/schema';

/** How often a page checks whether the client of a tunnel is connected. */
export const REFRESH_MS = 3000;

/** Loads the tunnel of the page, polls its state, and returns its actions. */
export function useTunnel() {
  const { tunnelId } = useParams<{ tunnelId: string }>();
  const resource = useResource<Tunnel>(`tunnels/${tunnelId}`, { refreshInterval: REFRESH_MS });
  return {
    ...resource,
    update: (body: UpdateTunnelBody) => resource.update(body),
    rotateUrl: async () => resource.show(await apiFetch<Tunnel>(`${resource.path}/rotate-url`, { method: 'POST' })),
  };
}

export type TunnelActions = ReturnType<typeof useTunnel>;

export function createTunnel(projectId: string, body: CreateTunnelBody): Promise<Tunnel> {
  return apiFetch<Tunnel>(`/projects/${projectId}/tunnels`, { method: 'POST', body });
}

/** Creates a test receiver that answers 200. */
export function createTestReceiver(projectId: string): Promise<Tunnel> {
  return createTunnel(projectId, { name: 'Test receiver', testResponse: { status: 200, delaySeconds: 0 } });
}

/** Loads the test receiver that an endpoint delivers to; undefined when it delivers elsewhere. */
export function useTestReceiver(endpointUrl: string): Tunnel | undefined {
  const path = useProjectPath('tunnels');
  const { rows } = useFirstHundred<Tunnel>(endpointUrl.includes('/t/') ? path : null);
  return findTestReceiver(rows ?? [], endpointUrl);
}

/** Returns the test receiver that an endpoint delivers to; undefined when it delivers elsewhere. */
export function findTestReceiver(tunnels: readonly Tunnel[], endpointUrl: string): Tunnel | undefined {
  return tunnels.find(
    ({ url, testResponse }) => testResponse !== null && url !== null && endpointUrl.startsWith(url.replace(/\/$/, '')),
  );
}

/** Describes a response in a few words. */
export function describeTestResponse({ status, delaySeconds }: TestResponse): string {
  return delaySeconds === 0 ? String(status) : `${status} after ${delaySeconds} s`;
}

/**
 * Returns the commands that sign in and connect a local server on port 4000.
 * @param tunnelId null for the tunnel that the command creates for its machine
 */
export function listenCommand(baseUrl: string, projectId: string, tunnelId: string | null): string {
  const chosen = tunnelId === null ? '' : ` --tunnel ${tunnelId}`;
  return `eds login --url ${baseUrl}\neds listen 4000 --project ${projectId}${chosen}`;
}

const LOOKS = 10;
const LOOK_EVERY_MS = 300;

/** Loads the logged request of the page, which never changes, and returns the action that replays it. */
export function useTunnelRequest() {
  const { tunnelId, requestId } = useParams<{ tunnelId: string; requestId: string }>();
  const requests = useProjectPath(`tunnels/${tunnelId}/requests`);
  const path = `${requests}/${requestId}`;
  const swr = useSWR<TunnelRequestDetail>(path, { revalidateOnFocus: false });
  return {
    data: swr.data,
    error: swr.error as unknown,
    reload: () => swr.mutate(),
    /** Sends the request again. @returns the id of the new request; null when it is not in the log yet */
    replay: async () => {
      const { requestId: id } = await apiFetch<ReplayedTunnelRequest>(`${path}/replay`, { method: 'POST' });
      return (await isLogged(`${requests}/${id}`)) ? id : null;
    },
  };
}

/** Waits until a request is in the log, which is written shortly after the response. */
async function isLogged(path: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    try {
      await apiFetch(path);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
  return false;
}

/** Shortens a range of one address to the address. */
export function withoutFullPrefix(cidr: string): string {
  return cidr.includes(':') ? cidr.replace(/\/128$/, '') : cidr.replace(/\/32$/, '');
}
