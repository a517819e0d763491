'use client';

import useSWR from 'swr';
import { ApiError } from '@/components/auth-session/api-error';
import { apiFetch } from '@/components/auth-session/api-fetch';
import type { ReplayedTunnelRequest, TunnelRequestDetail } from '@/lib/tunnel/schema';
import { tunnelsPath } from './use-tunnels';

const LOOKS = 10;
const LOOK_EVERY_MS = 300;

/** Returns the path of the log of a tunnel. */
export function requestsPath(projectId: string, tunnelId: string): string {
  return `${tunnelsPath(projectId)}/${tunnelId}/requests`;
}

/** Loads a logged request, which never changes, and returns the action that replays it. */
export function useTunnelRequest(projectId: string, tunnelId: string, requestId: string) {
  const requests = requestsPath(projectId, tunnelId);
  const path = `${requests}/${requestId}`;
  const swr = useSWR<TunnelRequestDetail>(path, { revalidateOnFocus: false });
  return {
    request: swr.data,
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
