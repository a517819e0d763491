import type { IncomingMessage } from 'node:http';
import { newId } from '@/lib/platform/ids';
import { parseUrl } from '@/lib/platform/net/parse-url';
import { chooseRequestId } from './request';

/** What the web entry finds out about a request before it is dispatched. */
export interface RequestContext {
  clientAddress: string;
  requestId: string;
  query: URLSearchParams;
  rawQuery: string;
}

/** Finds the client's address. See `clientAddressResolver`. */
export type ClientAddressOf = (socketAddress: string | undefined, forwardedFor: string | undefined) => string;

/**
 * Returns what the web server knows about a request. Sets its url to the origin form, and its host to that of the url. A url with an
 * invalid host stays, for `refuseRequest`.
 */
export function readRequest(
  clientAddress: ClientAddressOf,
  message: IncomingMessage,
): { pathname: string; context: RequestContext } {
  const { target, host } = toOriginForm(message.url ?? '/');
  message.url = target;
  if (host !== null) message.headers.host = host;
  const { pathname, rawQuery } = splitUrl(target);
  let query: URLSearchParams | undefined;
  const context = {
    clientAddress: clientAddress(message.socket.remoteAddress, joined(message.headers['x-forwarded-for'])),
    requestId: chooseRequestId(joined(message.headers['x-request-id']), newId),
    rawQuery,
    // Tunnels and most pages never read it.
    get query() {
      query ??= new URLSearchParams(rawQuery);
      return query;
    },
  };
  return { pathname, context };
}

/** Returns the value of a header, repeated ones joined. */
export function joined(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}

/** A server must also accept a target in absolute form, as proxies send it, and then ignore Host (RFC 9112 section 3.2.2). */
function toOriginForm(target: string): { target: string; host: string | null } {
  const [absolute, host = null] = /^https?:\/\/([^/?#@]*)(?=[/?]|$)/i.exec(target) ?? [''];
  if (host !== null && parseUrl(absolute) === null) return { target, host: null };
  return { target: target.slice(absolute.length) || '/', host };
}

function splitUrl(url: string): { pathname: string; rawQuery: string } {
  const mark = url.indexOf('?');
  return mark === -1
    ? { pathname: url, rawQuery: '' }
    : { pathname: url.slice(0, mark), rawQuery: url.slice(mark + 1) };
}
