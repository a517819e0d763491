import { openStream } from './open-stream';
import { ProjectStream } from './project-stream';

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
