import type { IncomingMessage, ServerResponse } from 'node:http';
import { PRIVATE_CONTENT_BYTES, PRIVATE_CONTENT_ENCODING } from './private-headers';
import { isRouterState } from './router-state';
import { noteContentBytes } from './turns';

/** Request headers with which Next's client requests parts of a page. */
const PAGE_HEADER = /^(?:rsc|next-.*|x-nextjs-.*|x-middleware-.*)$/;
const ROUTER_STATE = 'next-router-state-tree';

/**
 * Drops headers that make Next treat a path of the API as a page. Next would redirect a request with `RSC: 1` to a URL with
 * `?_rsc`. It would also compress every response by Accept-Encoding, even one with a secret: the dispatcher decides that,
 * and gets the header under a private name.
 */
export function dropPageHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (PAGE_HEADER.test(name)) delete headers[name];
  delete headers['accept-encoding'];
}

/** Drops a router state that Next cannot parse: it would answer 500. */
export function dropBrokenRouterState({ headers }: IncomingMessage): void {
  const state = headers[ROUTER_STATE];
  if (state !== undefined && !isRouterState(state)) delete headers[ROUTER_STATE];
}

/**
 * Keeps the headers of an API response as the dispatcher set them: removes Next's `Vary: rsc, next-router-state-tree …`,
 * and restores the Content-Encoding, which Next would drop. Notes the size of the content.
 */
export function restoreApiHeaders(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  const appendHeader = response.appendHeader.bind(response);
  const keep = <Value extends number | string | readonly string[]>(name: string, value: Value) => {
    if (name.toLowerCase() !== PRIVATE_CONTENT_BYTES) return withoutPageHeaders(name, value);
    noteContentBytes(response, Number(value));
    return null;
  };
  response.setHeader = (name, value) => {
    const kept = keep(name, value);
    return kept === null ? response : setHeader(publicName(name), kept);
  };
  response.appendHeader = (name, value) => {
    const kept = keep(name, value);
    return kept === null ? response : appendHeader(publicName(name), kept);
  };
}

function publicName(name: string): string {
  return name.toLowerCase() === PRIVATE_CONTENT_ENCODING ? 'Content-Encoding' : name;
}

/** Null when nothing is left. */
function withoutPageHeaders<Value extends number | string | readonly string[]>(name: string, value: Value) {
  if (name.toLowerCase() !== 'vary') return value;
  const names = String(value)
    .split(',')
    .map((each) => each.trim());
  const kept = names.filter((each) => each !== '' && !PAGE_HEADER.test(each.toLowerCase()));
  return kept.length === 0 ? null : kept.join(', ');
}
