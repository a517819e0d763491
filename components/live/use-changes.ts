'use client';

import { useEffect, useRef, useState } from 'react';
import { networkError, parseApiError } from '@/components/auth-session/api-error';
import { withAccessToken } from '@/components/auth-session/api-fetch';
import { API_BASE } from '@/components/auth-session/request';
import type { ChangeKind } from '@/lib/changes/types';
import { ProjectStream, type StreamState } from './project-stream';

/** The next page usually follows the same project. */
const LINGER_MS = 1000;

const streams = new Map<string, { stream: ProjectStream; users: number }>();

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

/**
 * The shortest time between two calls of a listener. It is below the 500 ms between two hints of the server, so a hint that
 * follows another one does not wait, and a row appears within a second under steady traffic too.
 */
const EVERY_MS = 400;

/**
 * Calls `onChange` when rows of these kinds of a project may have changed, at most every EVERY_MS.
 * @param projectId null for rows that no stream tells of
 * @returns the state of the stream
 */
export function useChanges(
  projectId: string | null,
  kinds: readonly ChangeKind[],
  onChange: () => Promise<unknown>,
): StreamState {
  const [state, setState] = useState<StreamState>(projectId === null ? 'polling' : 'connecting');
  const latest = useRef({ kinds, onChange });
  latest.current = { kinds, onChange };
  useEffect(() => {
    if (projectId === null) return;
    const stream = acquireStream(projectId);
    const { run, cancel } = throttle(() => latest.current.onChange(), EVERY_MS);
    const stopState = stream.subscribe(() => setState(stream.getState()));
    const stopListening = stream.listen((changed) => {
      if (changed.some((kind) => latest.current.kinds.includes(kind))) run();
    });
    setState(stream.getState());
    return () => {
      stopState();
      stopListening();
      cancel();
      releaseStream(projectId);
    };
  }, [projectId]);
  return state;
}

/**
 * Returns a function that runs `work` at once, but never twice at a time and at most every `everyMs`: calls in between make
 * one run afterwards. `cancel` drops it.
 */
export function throttle(work: () => Promise<unknown>, everyMs: number): { run: () => void; cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isWaiting = false;
  let isCanceled = false;
  const start = async () => {
    [isBusy, isWaiting] = [true, false];
    const pause = new Promise((resolve) => {
      timer = setTimeout(resolve, everyMs);
    });
    // Who shows the result also shows the error.
    await Promise.all([work().catch(() => undefined), pause]);
    isBusy = false;
    if (isWaiting && !isCanceled) void start();
  };
  return {
    run: () => {
      if (isBusy) isWaiting = true;
      else if (!isCanceled) void start();
    },
    cancel: () => {
      clearTimeout(timer);
      isCanceled = true;
    },
  };
}

/** Returns the stream of a project, which all lists of this tab share. Call `releaseStream` as often. */
function acquireStream(projectId: string): ProjectStream {
  const shared = streams.get(projectId) ?? { stream: new ProjectStream(projectId, BROWSER), users: 0 };
  streams.set(projectId, shared);
  shared.users += 1;
  return shared.stream;
}

/** Closes the stream of a project soon after its last user. */
function releaseStream(projectId: string): void {
  const shared = streams.get(projectId);
  if (shared === undefined) return;
  shared.users -= 1;
  setTimeout(() => {
    if (shared.users > 0 || streams.get(projectId) !== shared) return;
    streams.delete(projectId);
    shared.stream.stop();
  }, LINGER_MS);
}

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

/** A browser opens six connections to a server over HTTP/1.1. Streams of several windows must not use them up. */
const SLOTS = 3;

/** The part of the Web Locks API that a slot needs. */
export interface SlotLocks {
  request(
    name: string,
    options: { ifAvailable: true },
    hold: (lock: unknown) => Promise<void> | undefined,
  ): Promise<unknown>;
}

/**
 * Takes one of the streams that a browser may have open, over all its windows, until `signal` aborts.
 * @param locks undefined in a browser without Web Locks, such as over plain HTTP: then nothing is bounded
 * @throws Error when all are taken
 */
export async function takeStreamSlot(locks: SlotLocks | undefined, signal: AbortSignal): Promise<void> {
  if (locks === undefined) return;
  for (let slot = 0; slot < SLOTS; slot++) {
    if (await takeLock(locks, `eds-changes-${slot}`, signal)) return;
  }
  throw new Error('Other windows of this browser have all streams.');
}

function takeLock(locks: SlotLocks, name: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const hold = (lock: unknown) => {
      resolve(lock !== null);
      if (lock === null || signal.aborted) return undefined;
      return new Promise<void>((release) => signal.addEventListener('abort', () => release(), { once: true }));
    };
    locks.request(name, { ifAvailable: true }, hold).catch(reject);
  });
}
