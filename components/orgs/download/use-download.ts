'use client';

import { useEffect, useRef, useState } from 'react';
import { type Downloaded, openDownload } from './open-download';

export type DownloadState =
  | { status: 'idle' }
  | { status: 'running'; bytes: number }
  | { status: 'failed'; error: unknown }
  | { status: 'done'; file: Downloaded };

/** One download at a time, with its progress; it ends with the page it was started on. */
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
      const onProgress = throttled((bytes) => setState({ status: 'running', bytes }));
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

const DRAWN_MS = 120;

/** Pieces come by the hundred a second; drawing each would cost more than reading it. */
function throttled(show: (bytes: number) => void): (bytes: number) => void {
  let drawnMs = 0;
  return (bytes) => {
    const nowMs = performance.now();
    if (nowMs - drawnMs < DRAWN_MS) return;
    drawnMs = nowMs;
    show(bytes);
  };
}
