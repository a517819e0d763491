import { MINUTE_MS, SECOND_MS } from '@/lib/platform/clock';
import type { SemaphoreLimits } from '@/lib/platform/fair-semaphore';
import type { PaceLimits } from '@/lib/platform/pace';
import type { PlaceLimits } from '@/lib/platform/shared-places';
import type { RateLimits } from '@/lib/platform/shared-rate';

// Every bound of the relay (docs/decisions/036-tunnels.md).

/** Bytes of a request body. Response bodies have no limit: they stream as fast as their readers read. */
export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
/** Headers of a visitor's request: each is handled several times on its way to the client and to the log. */
export const MAX_VISITOR_HEADERS = 200;
/** Requests in flight in one tunnel, across all web processes. */
export const MAX_IN_FLIGHT = 100;
/**
 * Requests in flight in this process, shared by owners. Each may hold 365 KB: its heads, and both bodies on their way and for the log. The
 * oldest has waited longest for its local server.
 */
export const IN_FLIGHT: PlaceLimits = { total: 1_000, perOwner: 500, kept: 100, few: 10, displaces: 'oldest' };
/**
 * Requests to tunnels that begin in this process, by owner: one at a time, as many a second as VISITS_PACE says while the process works
 * for others too. The others wait, and each may hold 150 KB: its head, and what Node has read of its body.
 */
export const VISITS: SemaphoreLimits = { width: 100, widthPerTenant: 1, waiting: 1_000, waitingPerTenant: 500 };
/** A refusal is late, so that a flood has only as many visits a second as it has connections. */
export const REFUSED_AFTER_MS = 250;
export const VISITS_PACE: PaceLimits = { perSecond: 200, burst: 400 };
/**
 * Bytes that the tunnels of one owner move while the process works for others too, in both directions. With rests, a MiB takes the thread
 * for 8 to 13 ms: an owner takes at most a fifth of it.
 */
export const BYTES_PACE: PaceLimits = { perSecond: 16 * 1024 * 1024, burst: 8 * 1024 * 1024 };
/** Bytes of the tunnels of all owners, who share them: at most half of the thread. */
export const SHARED_BYTES: RateLimits = {
  perSecond: 40 * 1024 * 1024,
  atOnce: 1024 * 1024,
  mostOwed: 400 * 1024 * 1024,
};
/** What a chunk of a body counts at least: a smaller one takes the thread as long, and 16 MiB may be 262,000 chunks. */
export const LEAST_CHUNK_BYTES = 4 * 1024;
/** A large head, with all that the relay does with it, takes the thread as long as a body of eight times its size. */
export const HEAD_WEIGHT = 8;
/** Shorter rests would make each MiB take the thread for longer. After the longest a connection still answers pings in time (HEARTBEAT). */
export const MIN_REST_MS = 25;
export const MAX_REST_MS = 10 * SECOND_MS;
/** A ping or a pong has at most 125 bytes. */
export const SMALL_FRAME_BYTES = 130;
/**
 * Bytes that this process holds for slow readers, both visitors and clients, for unfinished messages, and for the log. Beyond that, an
 * exchange or a connection of the owner with the most is ended.
 */
export const MAX_BUFFERED_BYTES = 128 * 1024 * 1024;
/**
 * Frames that this process reads from clients: a second from those of all owners, who share it; at once from those of an owner; and what an
 * owner may owe. 10,000 take the thread for a quarter of a second. A frame counts once, or five times if it is written to a visitor, which
 * takes 50 microseconds; and again for each 32 KiB.
 */
export const FRAME_RATE = {
  perSecond: 10_000,
  atOnce: 1_000,
  mostOwed: 100_000,
  bytesOfFrame: 32 * 1024,
  framesOfBody: 5,
};
/** What a connection of a client is read at once: as many as 340 frames, or 170 that are written to visitors, which take 8 ms. */
export const SLICE_BYTES = 2 * 1024;
/** Fragments of a message, and pieces in which a frame may arrive. Clients send none in fragments; the largest frame has 128 KiB. */
export const MAX_FRAGMENTS = 16;
export const MAX_PIECES = 1_024;
/** While more bytes than this wait for a client's socket, its tunnel gets no further requests. */
export const MAX_CLIENT_BACKLOG_BYTES = 4 * 1024 * 1024;
/** Clients connected to this process, shared by owners. */
export const CLIENTS: PlaceLimits = { total: 5_000, perOwner: 2_500, kept: 250, few: 10, displaces: 'newest' };
/** Attempts to connect of the clients of an owner, in this process. Each writes rows. */
export const CONNECTS_PER_MINUTE = 600;
/** Tunnels, unknown tokens and connections that this process remembers, and how long they are current. */
export const MAX_CACHED = 5_000;
export const CACHE_MS = SECOND_MS;
/**
 * Lookups of tokens: statements at once, tokens in each, and tokens that may wait. They use few of the connections that
 * ingest uses too. No more known tokens wait than are remembered.
 */
export const KNOWN_LOOKUPS = { maxRunning: 2, maxBatch: 500, maxWaiting: MAX_CACHED };
export const UNKNOWN_LOOKUPS = { maxRunning: 1, maxBatch: 500, maxWaiting: 2_000 };

/** Requests that a test receiver answers per minute and holds back at once, in this process. */
export const TESTS_PER_MINUTE = 600;
export const MAX_DELAYED_TESTS = 20;

/** From the last byte of the request to the head of the response. */
export const RESPONSE_HEAD_MS = 30 * SECOND_MS;
/** A response that is idle for this long is ended. */
export const IDLE_RESPONSE_MS = 5 * MINUTE_MS;

/** How often a process renews the rows of its clients, and how old the row of a live client can be. */
export const ROW_HEARTBEAT_MS = 10 * SECOND_MS;
export const ROW_LIFETIME_SECONDS = 30;
/** How long requests may take to end when the process stops. */
export const DRAIN_MS = 3 * SECOND_MS;
/** How long releasing the clients' rows may take after that. */
export const RELEASE_MS = SECOND_MS;

/** How old a signature of another web process may be, and how many nonces of that time are remembered. */
export const PEER_SIGNATURE_MS = MINUTE_MS;
export const MAX_PEER_NONCES = 200_000;
export const PEER_CONNECT_MS = 2 * SECOND_MS;
