'use client';

import { useEffect, useRef, useState } from 'react';
import { networkError, parseApiError } from '@/components/auth-session/api-error';
import { withAccessToken } from '@/components/auth-session/api-fetch';
import { API_BASE } from '@/components/auth-session/request';

type DownloadState =
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

export interface Downloaded extends Collected {
  headers: Headers;
  /** The name from the Content-Disposition header. */
  fileName: string;
}

/**
 * Downloads a file of the API as the signed-in person. A plain link cannot do this: the access token is in memory and is
 * sent in a header.
 *
 * @throws ApiError, or an AbortError when `signal` aborts
 */
async function openDownload(
  path: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void },
): Promise<Downloaded> {
  const response = await withAccessToken((token) => requestFile(path, token, signal));
  try {
    if (response.body === null) throw networkError();
    const { headers } = response;
    return { ...(await collectBody(response.body, onProgress)), headers, fileName: fileNameOf(headers) };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TypeError ? networkError() : error;
  }
}

async function requestFile(path: string, token: string, signal: AbortSignal): Promise<Response> {
  const init: RequestInit = {
    headers: { Authorization: `Bearer ${token}` },
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  };
  const response = await fetch(API_BASE + path, init).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw networkError();
  });
  if (!response.ok) throw await parseApiError(response);
  return response;
}

function fileNameOf(headers: Headers): string {
  return /filename="([\w.-]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? 'download';
}

/** Saves a file through the browser. */
export function saveDownload({ blob, fileName }: Downloaded): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // Later, since the browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const FOLD_BYTES = 4 * 1024 * 1024;
/** The end of the body, kept as text: enough for the members after the last list of an export. */
const TAIL_BYTES = 1024;

interface Collected {
  blob: Blob;
  bytes: number;
  /** The last kilobyte, as text. */
  tail: string;
}

/**
 * Reads a download into a Blob and reports the bytes after each chunk. Chunks are moved into the Blob regularly, since
 * browsers keep Blobs out of the page's memory.
 *
 * @throws the error that interrupts the body
 */
export async function collectBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onProgress: (bytes: number) => void,
): Promise<Collected> {
  const reader = body.getReader();
  let blob = new Blob();
  let loose: Uint8Array<ArrayBuffer>[] = [];
  let looseBytes = 0;
  const fold = () => {
    blob = new Blob([blob, ...loose]);
    loose = [];
    looseBytes = 0;
  };
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    loose.push(value);
    looseBytes += value.byteLength;
    onProgress(blob.size + looseBytes);
    if (looseBytes >= FOLD_BYTES) fold();
  }
  fold();
  return { blob, bytes: blob.size, tail: await blob.slice(-TAIL_BYTES).text() };
}
