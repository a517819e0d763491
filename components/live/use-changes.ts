'use client';

import { useEffect, useRef, useState } from 'react';
import type { ChangeKind } from '@/lib/changes/types';
import { acquireStream, releaseStream } from './shared-streams';
import type { StreamState } from './types';

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
  let [isBusy, isWaiting, isCanceled] = [false, false, false];
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
