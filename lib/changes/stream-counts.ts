import type { Tenant } from '@/lib/orgs/tenant';
import { SECOND_MS } from '@/lib/platform/clock';
import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { groupBy } from '@/lib/platform/group-by';
import { setGauge } from '@/lib/platform/metrics';
import type { Collector } from '@/lib/platform/metrics-collectors';

interface StreamLimits {
  /** Streams of one person or key in this process. */
  perCaller: number;
  perOrganization: number;
  perProcess: number;
  /** Projects that this process watches at once, in all and of one organization. */
  projects: number;
  projectsPerOrganization: number;
}

/** A stream costs a socket and a timer; a project costs part of a statement every half second. */
const LIMITS: StreamLimits = {
  perCaller: 10,
  perOrganization: 100,
  perProcess: 500,
  projects: 100,
  projectsPerOrganization: 20,
};
const RETRY_AFTER_SECONDS = 10;
/** How long an owner keeps its only stream before it makes room for an owner without one: half of a stream's life. */
const ONLY_STREAM_MS = 30 * SECOND_MS;

/** Who opens a stream, and of what. */
export interface StreamPlace extends Tenant {
  /** The person or the key. */
  callerId: string;
  projectId: string;
}

interface OpenStream extends StreamPlace {
  /** By performance.now(). */
  openedAt: number;
  /** Ends the stream, which then stops being counted. */
  end(): void;
}

/**
 * Counts the open streams of a process, and bounds them. When the process is full, a tenant takes the place of the one with the
 * most, as long as that leaves the other no fewer than it gets. When nobody has more than one, the oldest makes room for a tenant
 * without one (docs/decisions/045-lists.md).
 */
export class StreamCounts {
  /** In the order in which they were opened. */
  readonly #streams = new Set<OpenStream>();

  constructor(private readonly limits: StreamLimits) {}

  /** The number of open streams. */
  get open(): number {
    return this.#streams.size;
  }

  /**
   * Counts one more stream.
   * @param end ends the stream to make room for that of another tenant
   * @returns a function that stops counting it; calling it again does nothing
   * @throws AppError rate_limited
   */
  add(place: StreamPlace, end: () => void): () => void {
    this.#refuseBeyondShare(place);
    const isWatched = [...this.#streams].some(({ projectId }) => projectId === place.projectId);
    if (!isWatched && projectsOf(this.#streams).size >= this.limits.projects) this.#endProjectFor(place);
    if (this.#streams.size >= this.limits.perProcess) this.#endStreamFor(place);
    const stream = { ...place, end, openedAt: performance.now() };
    this.#streams.add(stream);
    return () => void this.#streams.delete(stream);
  }

  #refuseBeyondShare({ callerId, organizationId, projectId }: StreamPlace): void {
    const { perCaller, perOrganization, projectsPerOrganization } = this.limits;
    const own = [...this.#streams].filter((stream) => stream.organizationId === organizationId);
    if (own.filter((stream) => stream.callerId === callerId).length >= perCaller) {
      throw tooMany(`You already have ${perCaller} streams of changes open. Close one first.`);
    }
    if (own.length >= perOrganization) {
      throw tooMany(`Your organization already has ${perOrganization} streams of changes open.`);
    }
    const projects = projectsOf(own);
    if (!projects.has(projectId) && projects.size >= projectsPerOrganization) {
      throw tooMany(`Your organization already watches ${projectsPerOrganization} projects.`);
    }
  }

  #endStreamFor(place: StreamPlace): void {
    const newest = heaviestOf([...this.#streams], place)?.at(-1);
    if (newest === undefined) throw tooMany('Too many streams of changes are open.');
    newest.end();
  }

  /** Ends the streams of one project of the tenant that watches the most: of the one with the fewest streams. */
  #endProjectFor(place: StreamPlace): void {
    const projects = projectsOf(this.#streams);
    const heaviest =
      heaviestOf(
        [...projects.values()].flatMap((streams) => streams.slice(0, 1)),
        place,
      ) ?? [];
    const watched = heaviest.map(({ projectId }) => projects.get(projectId) ?? []);
    const [smallest] = watched.sort((a, b) => a.length - b.length);
    if (smallest === undefined) throw tooMany('Too many streams of changes are open.');
    for (const stream of smallest) stream.end();
  }
}

const projectsOf = (streams: Iterable<OpenStream>) => groupBy(streams, ({ projectId }) => projectId);

function tooMany(what: string): AppError {
  return new AppError('rate_limited', `${what} Read the lists at intervals meanwhile.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Returns the counts of this process. */
export function streamCounts(): StreamCounts {
  return once('change-streams', () => new StreamCounts(LIMITS));
}

/**
 * Returns what the heaviest tenant holds, of its heaviest organization, oldest first; null if that tenant would keep fewer than
 * the newcomer gets. So two tenants cannot displace each other in turns, except for the oldest one when each has one: as many accounts
 * as there are places would keep everybody else out. Organizations of one owner count together.
 * @param held oldest first
 */
function heaviestOf(held: readonly OpenStream[], newcomer: Tenant): OpenStream[] | null {
  const byOwner = groupBy(held, ({ ownerId }) => ownerId);
  const heaviest = longest([...byOwner.values()]);
  const own = byOwner.get(newcomer.ownerId)?.length ?? 0;
  if (heaviest.length <= own + 1) {
    const [oldest] = held;
    const makesRoom = own === 0 && oldest !== undefined && performance.now() - oldest.openedAt >= ONLY_STREAM_MS;
    return makesRoom ? [oldest] : null;
  }
  return longest([...groupBy(heaviest, ({ organizationId }) => organizationId).values()]);
}

function longest<Item>(groups: Item[][]): Item[] {
  return groups.reduce((found, group) => (group.length > found.length ? group : found), []);
}

/** The open streams of changes of this process. */
export const CHANGE_STREAMS: Collector = {
  name: 'change_streams',
  collect: async () => {
    setGauge({ name: 'change_streams_open', help: 'Open streams of changes of this process' }, streamCounts().open);
  },
};
