import { networkError, parseApiError } from '@/components/auth-session/api-error';
import { withAccessToken } from '@/components/auth-session/api-fetch';
import { API_BASE } from '@/components/auth-session/request';
import { ProjectStream } from './project-stream';
import { type SlotLocks, takeStreamSlot } from './stream-slot';

/** The next page usually follows the same project. */
const LINGER_MS = 1000;

const streams = new Map<string, { stream: ProjectStream; users: number }>();

/** Returns the stream of a project, which all lists of this tab share. Call `releaseStream` as often. */
export function acquireStream(projectId: string): ProjectStream {
  const shared = streams.get(projectId) ?? { stream: new ProjectStream(projectId, BROWSER), users: 0 };
  streams.set(projectId, shared);
  shared.users += 1;
  return shared.stream;
}

/** Closes the stream of a project soon after its last user. */
export function releaseStream(projectId: string): void {
  const shared = streams.get(projectId);
  if (shared === undefined) return;
  shared.users -= 1;
  setTimeout(() => {
    if (shared.users > 0 || streams.get(projectId) !== shared) return;
    streams.delete(projectId);
    shared.stream.stop();
  }, LINGER_MS);
}

const BROWSER = {
  open: openStream,
  isOnline: () => navigator.onLine,
  isVisible: () => document.visibilityState === 'visible',
  onActivity: (listener: () => void) => {
    document.addEventListener('visibilitychange', listener);
    window.addEventListener('online', listener);
    window.addEventListener('offline', listener);
    return () => {
      document.removeEventListener('visibilitychange', listener);
      window.removeEventListener('online', listener);
      window.removeEventListener('offline', listener);
    };
  },
};

const SECONDS = 60;

/** Opens the stream of changes of a project as the signed-in person. @throws ApiError, or an AbortError */
async function openStream(projectId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
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
