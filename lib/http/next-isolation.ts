import type { IncomingMessage, ServerResponse } from 'node:http';
import { PRIVATE_CONTENT_ENCODING } from './private-headers';
import { isRouterState } from './router-state';

/** Request headers by which Next's client asks for parts of a page. */
const PAGE_HEADER = /^(?:rsc|next-.*|x-nextjs-.*|x-middleware-.*)$/;
const ROUTER_STATE = 'next-router-state-tree';

/**
 * A path of the API is no page: Next would redirect a request with `RSC: 1` to an address with `?_rsc`. And it would compress
 * by the Accept-Encoding, whatever the answer holds: the table alone decides that, and is told by a private header.
 */
export function dropPageHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (PAGE_HEADER.test(name)) delete headers[name];
  delete headers['accept-encoding'];
}

/** Next answers 500 to a router state that it cannot read. */
export function dropBrokenRouterState({ headers }: IncomingMessage): void {
  const state = headers[ROUTER_STATE];
  if (state !== undefined && !isRouterState(state)) delete headers[ROUTER_STATE];
}

/**
 * Makes the headers of an answer of the API what the table gave: without Next's `Vary: rsc, next-router-state-tree …`, since it
 * does not vary with them, and with the Content-Encoding that Next would have dropped.
 */
export function restoreApiHeaders(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  const appendHeader = response.appendHeader.bind(response);
  response.setHeader = (name, value) => {
    const kept = withoutPageHeaders(name, value);
    return kept === null ? response : setHeader(publicName(name), kept);
  };
  response.appendHeader = (name, value) => {
    const kept = withoutPageHeaders(name, value);
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
