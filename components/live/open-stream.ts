import { networkError, parseApiError } from '@/components/auth-session/api-error';
import { withAccessToken } from '@/components/auth-session/api-fetch';
import { API_BASE } from '@/components/auth-session/request';
import { type SlotLocks, takeStreamSlot } from './stream-slot';

const SECONDS = 60;

/** Opens the stream of changes of a project as the signed-in person. @throws ApiError, or an AbortError */
export async function openStream(projectId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  await takeStreamSlot(navigator.locks as SlotLocks | undefined, signal);
  return withAccessToken(async (token) => {
    const response = await fetch(`${API_BASE}/projects/${projectId}/changes?seconds=${SECONDS}`, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}` },
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
    });
    if (!response.ok) throw await parseApiError(response);
    if (response.body === null) throw networkError();
    return response.body;
  });
}
