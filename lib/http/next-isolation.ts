import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRouterState } from './router-state';

/** Request headers by which Next's client asks for parts of a page. */
const PAGE_HEADER = /^(?:rsc|next-.*|x-nextjs-.*|x-middleware-.*)$/;
const ROUTER_STATE = 'next-router-state-tree';

/** A path of the API is no page: Next would redirect a request with `RSC: 1` to an address with `?_rsc`. */
export function dropPageHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (PAGE_HEADER.test(name)) delete headers[name];
}

/** Next answers 500 to a router state that it cannot read. */
export function dropBrokenRouterState({ headers }: IncomingMessage): void {
  const state = headers[ROUTER_STATE];
  if (state !== undefined && !isRouterState(state)) delete headers[ROUTER_STATE];
}

/** Keeps Next's `Vary: rsc, next-router-state-tree …` out of an answer of the API, which does not vary with them. */
export function dropPageVary(response: ServerResponse): void {
  const setHeader = response.setHeader.bind(response);
  const appendHeader = response.appendHeader.bind(response);
  response.setHeader = (name, value) => {
    const kept = withoutPageHeaders(name, value);
    return kept === null ? response : setHeader(name, kept);
  };
  response.appendHeader = (name, value) => {
    const kept = withoutPageHeaders(name, value);
    return kept === null ? response : appendHeader(name, kept);
  };
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
