import { type CheckedResponse, findResponseFault } from '@/tests/http/response-fault';

/** A response that differs from what its route declares. */
export class ResponseFault extends Error {}

/** @throws ResponseFault when a response of the API differs from what its route declares */
export function checkResponse(method: string, url: string | URL, response: CheckedResponse): void {
  const { pathname, search } = new URL(url);
  const fault = findResponseFault(method, pathname + search, response);
  if (fault !== null) throw new ResponseFault(fault);
}

/** Returns headers with one text for each name. */
export function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, String(value)]));
}

/**
 * Sends a request like `fetch`, and checks the response.
 * @throws ResponseFault
 */
export async function fetchChecked(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  const headers = Object.fromEntries(response.headers);
  checkResponse(init.method ?? 'GET', url, { status: response.status, headers, text: await response.clone().text() });
  return response;
}
