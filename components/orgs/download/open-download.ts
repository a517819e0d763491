import { networkError, parseApiError } from '@/components/auth-session/api-error';
import { withAccessToken } from '@/components/auth-session/api-fetch';
import { API_BASE } from '@/components/auth-session/request';
import { type Collected, collectBody } from './collect-body';

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
export async function openDownload(
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
