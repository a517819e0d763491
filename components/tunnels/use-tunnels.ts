'use client';

import useSWR from 'swr';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { CreateTunnelBody, Tunnel, UpdateTunnelBody } from '@/lib/tunnel/schema';

/** How often a page checks whether the client of a tunnel is connected. */
export const REFRESH_MS = 3000;

export function tunnelsPath(projectId: string): string {
  return `/projects/${projectId}/tunnels`;
}

/** Loads one tunnel, polls its state, and returns its actions. */
export function useTunnel(projectId: string, tunnelId: string) {
  const path = `${tunnelsPath(projectId)}/${tunnelId}`;
  const swr = useSWR<Tunnel>(path, { refreshInterval: REFRESH_MS });
  return {
    tunnel: swr.data,
    error: swr.error as unknown,
    reload: () => swr.mutate(),
    update: async (body: UpdateTunnelBody) =>
      swr.mutate(await apiFetch<Tunnel>(path, { method: 'PATCH', body }), { revalidate: false }),
    rotateUrl: async () =>
      swr.mutate(await apiFetch<Tunnel>(`${path}/rotate-url`, { method: 'POST' }), { revalidate: false }),
    remove: () => apiFetch(path, { method: 'DELETE' }),
  };
}

export type TunnelActions = ReturnType<typeof useTunnel>;

export function createTunnel(projectId: string, body: CreateTunnelBody): Promise<Tunnel> {
  return apiFetch<Tunnel>(tunnelsPath(projectId), { method: 'POST', body });
}
