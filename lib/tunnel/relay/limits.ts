import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';

// Every bound of the relay (docs/decisions/036-tunnels.md).

/** The body of a request. That of a response has no limit: it flows as fast as its reader reads. */
export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
/** Requests in flight in one tunnel, over all web processes. */
export const MAX_IN_FLIGHT = 100;
/** Requests in flight of one project, and of all, in this process. */
export const [MAX_IN_FLIGHT_OF_PROJECT, MAX_IN_FLIGHT_OF_PROCESS] = [500, 2_000];
/** Bytes that this process holds for slow readers, of the public and of clients; beyond, who has the most is ended. */
export const MAX_BUFFERED_BYTES = 128 * 1024 * 1024;
/** Bytes that wait for a client's socket above which its tunnel gets no further requests. */
export const MAX_CLIENT_BACKLOG_BYTES = 4 * 1024 * 1024;
/** Clients connected to this process. */
export const MAX_CLIENTS = 5_000;
/** Tunnels, unknown tokens and connections that this process remembers, and how long they are current. */
export const [MAX_CACHED, CACHE_MS] = [5_000, SECOND_MS];
/**
 * Lookups of tokens: statements at once, tokens in each, and tokens that may wait. They use few of the connections that
 * ingest uses too. No more known tokens wait than are remembered.
 */
export const KNOWN_LOOKUPS = { maxRunning: 2, maxBatch: 500, maxWaiting: MAX_CACHED };
export const UNKNOWN_LOOKUPS = { maxRunning: 1, maxBatch: 500, maxWaiting: 2_000 };

/** From the last byte of the request to the head of the response. */
export const RESPONSE_HEAD_MS = 30 * SECOND_MS;
/** A response during which nothing moves for that long is ended. */
export const IDLE_RESPONSE_MS = 5 * MINUTE_MS;

/** How often a process renews the rows of its clients, and how old a row of a live one can be. */
export const [ROW_HEARTBEAT_MS, ROW_LIFETIME_SECONDS] = [10 * SECOND_MS, 30];
/** How often the access of a client is checked again. */
export const ACCESS_CHECK_MS = 30 * SECOND_MS;
/** How long requests may take to end when the process stops. */
export const DRAIN_MS = 3 * SECOND_MS;
/** How long the database may take to release the clients then. */
export const RELEASE_MS = SECOND_MS;

/** How old the signature of another web process may be, and how many of that time are remembered. */
export const [PEER_SIGNATURE_MS, MAX_PEER_NONCES] = [MINUTE_MS, 200_000];
export const PEER_CONNECT_MS = 2 * SECOND_MS;
