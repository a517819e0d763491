'use client';

import { useEffect, useRef, useState } from 'react';
import { type Downloaded, openDownload } from './open-download';

export type DownloadState =
  | { status: 'idle' }
  | { status: 'running'; bytes: number }
  | { status: 'failed'; error: unknown }
  | { status: 'done'; file: Downloaded };

/** Runs one download at a time and holds its progress. Leaving the page aborts it. */
export function useDownload() {
  const [state, setState] = useState<DownloadState>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (path: string, keep: (file: Downloaded) => void, onFail?: (error: unknown) => void) => {
    if (running.current !== null) return;
    const controller = new AbortController();
    running.current = controller;
    setState({ status: 'running', bytes: 0 });
    try {
      const onProgress = throttle((bytes) => setState({ status: 'running', bytes }));
      const file = await openDownload(path, { signal: controller.signal, onProgress });
      keep(file);
      setState({ status: 'done', file });
    } catch (error) {
      setState(controller.signal.aborted ? { status: 'idle' } : { status: 'failed', error });
      if (!controller.signal.aborted) onFail?.(error);
    } finally {
      running.current = null;
    }
  };
  return { state, start, cancel: () => running.current?.abort() };
}

const UPDATE_MS = 120;

/** Limits updates: hundreds of chunks arrive per second, and rendering each costs more than reading it. */
function throttle(show: (bytes: number) => void): (bytes: number) => void {
  let updatedMs = 0;
  return (bytes) => {
    const nowMs = performance.now();
    if (nowMs - updatedMs < UPDATE_MS) return;
    updatedMs = nowMs;
    show(bytes);
  };
}
