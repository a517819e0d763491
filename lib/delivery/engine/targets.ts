import { LRUCache } from 'lru-cache';
import {
  credentialHeader,
  keysOfEndpoint,
  openDestinationAuth,
  openEndpointHeaders,
  openEndpointSecret,
} from '@/lib/delivery/credentials';
import { STANDARD } from '@/lib/delivery/endpoint-options-policy';
import { keptFilter } from '@/lib/delivery/filters/filter';
import { knownOwnerOfProject } from '@/lib/orgs/tenant';
import { config } from '@/lib/platform/config/config';
import type { Sql } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { log } from '@/lib/platform/log';
import { Yielder } from '@/lib/platform/yielder';
import { surplusOf } from './dispatch/target-queues';
import { ownUrlFault } from './own-service';
import { selectTargets, selectTargetVersions, type TargetRow } from './targets-sql';
import type { Obstacle, Target, TargetKind } from './types';

/** A target, or the reason why nothing may be sent to it. */
export type LoadedTarget = { target: Target } | { obstacle: Obstacle; kind: TargetKind; projectId: string | null };

/** When targets are prepared: to decrypt secrets takes milliseconds. */
interface PrepareTurns {
  run<T>(prepare: () => T): T | Promise<T>;
  /** The next ones have to be read first. */
  end(): void;
}

/** Yields to the event loop every few milliseconds. */
function yieldingTurns(): PrepareTurns {
  const yielder = new Yielder();
  return {
    run: async (prepare) => {
      if (yielder.shouldYield()) await yielder.yield();
      return prepare();
    },
    end: () => undefined,
  };
}

/** Targets of one statement at most, and versions of targets. */
const LOADED_AT_ONCE = 50;
const VERSIONS_AT_ONCE = 500;

/**
 * Reads targets by id. An unknown id counts as deleted. Of a target that is held, only the version is read, and the rest if it has changed.
 * @param held finds a target that may be current
 */
export async function loadTargets(
  sql: Sql,
  ids: readonly string[],
  held = (id: string): Target | undefined => preparedTargets().peek(id),
  turns = yieldingTurns(),
): Promise<Map<string, LoadedTarget>> {
  const loaded = new Map<string, LoadedTarget>(
    ids.map((id) => [id, { obstacle: 'deleted', kind: 'endpoint', projectId: null }]),
  );
  const wanted = new Set(ids);
  const known = ids.flatMap((id) => held(id) ?? []);
  for (const targets of inPieces(known, VERSIONS_AT_ONCE)) {
    const byId = new Map(targets.map((target) => [target.id, target]));
    for (const { id, obstacle, kind, project_id: projectId, version } of await selectTargetVersions.all(sql, {
      targets: [...byId.keys()],
    })) {
      const target = byId.get(id);
      if (obstacle !== null) loaded.set(id, { obstacle, kind, projectId });
      // A target with a fault is tried again: the missing encryption key may be restored.
      else if (target?.version === version && target.fault === null) loaded.set(id, { target });
      else continue;
      wanted.delete(id);
    }
  }
  for (const targets of inPieces([...wanted], LOADED_AT_ONCE)) {
    for (const row of await selectTargets.all(sql, { targets })) {
      const { id, obstacle, kind, project_id: projectId } = row;
      if (obstacle !== null) loaded.set(id, { obstacle, kind, projectId });
      else loaded.set(id, { target: await turns.run(() => preparedTargets().prepare(row, toTarget)) });
    }
    turns.end();
  }
  return loaded;
}

function* inPieces<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

/** Prepares a target for sending. Never throws: a target that cannot be read gets a fault. */
function toTarget(row: TargetRow): Target {
  const target: Target = {
    id: row.id,
    kind: row.kind,
    projectId: row.project_id,
    customerId: row.customer_id,
    origin: '',
    path: '',
    signingKeys: [],
    headers: {},
    signature: row.signature ?? STANDARD,
    sendsData: row.body_format === 'DATA',
    filter: null,
    rateLimit: rateLimitOf(row),
    scheduleSeconds: scheduleOf(row),
    failingSinceMs: row.failing_since_ms,
    version: row.version,
    fault: null,
  };
  try {
    const address = addressOf(row.url);
    const fault = ownUrlFault(address);
    return {
      ...target,
      ...address,
      signingKeys: signingKeysOf(row),
      headers: headersOf(row),
      filter: filterOf(row),
      fault,
    };
  } catch (error) {
    // An unreadable target must not fail the others of its batch.
    log().error({ err: error, targetId: row.id }, 'target could not be prepared');
    return { ...target, fault: 'Secret, credential or URL cannot be read' };
  }
}

function scheduleOf({ retry_seconds }: TargetRow): number[] {
  const own = retry_seconds === null || retry_seconds === '' ? null : retry_seconds.split(',');
  return (own ?? config().DELIVERY_RETRY_SECONDS).map(Number);
}

/** Splits a URL into origin and path, without its user and password. @throws TypeError when it is not a URL */
export function addressOf(url: string): Pick<Target, 'origin' | 'path'> {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

function headersOf({ auth, headers }: TargetRow): Target['headers'] {
  if (headers !== null) return inLowerCase(openEndpointHeaders(headers));
  return auth === null ? {} : credentialHeader(openDestinationAuth(auth));
}

function rateLimitOf({ rate_requests: requests, rate_seconds: seconds }: TargetRow): Target['rateLimit'] {
  return requests === null || seconds === null ? null : { requests, seconds };
}

function filterOf({ filter }: TargetRow): Target['filter'] {
  return filter === null ? null : keptFilter(filter);
}

/** Returns headers as they are sent. */
export function inLowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function signingKeysOf(row: TargetRow): Target['signingKeys'] {
  const sealed = [
    { secret: row.secret, validUntilMs: Number.POSITIVE_INFINITY },
    { secret: row.previous_secret, validUntilMs: row.previous_until_ms ?? 0 },
  ];
  return sealed.flatMap(({ secret, validUntilMs }) =>
    secret === null || validUntilMs <= Date.now()
      ? []
      : [{ ...keysOfEndpoint(openEndpointSecret(secret)), validUntilMs }],
  );
}

/** About a KiB each, and up to 8 KiB with headers and a filter. */
const MAX_KEPT = 5_000;
/** As many are evicted at once, so that few targets pay for the search. */
const EVICTED = 500;

/**
 * A cache of targets. Each is valid until its row changes. To prepare a target its secrets must be decrypted, which takes more time
 * than all other work for a small event.
 */
class PreparedTargets {
  private readonly kept = new LRUCache<string, { target: Target; ownerId: string }>({ max: MAX_KEPT });

  /** Finds a target if it is cached in this version. */
  find(id: string, version: string): Target | undefined {
    const target = this.kept.get(id)?.target;
    return target?.version === version ? target : undefined;
  }

  /** Finds a target if it is cached, in any version. */
  peek(id: string): Target | undefined {
    return this.kept.get(id)?.target;
  }

  /** Returns the cached target of a row, or makes it. */
  prepare<Row extends { id: string; version: string; project_id: string }>(
    row: Row,
    make: (row: Row) => Target,
  ): Target {
    const kept = this.find(row.id, row.version);
    if (kept !== undefined) return kept;
    const made = make(row);
    // A target with a fault is tried again: the missing encryption key may be restored.
    if (made.fault !== null) return made;
    if (this.kept.size >= MAX_KEPT) this.evict();
    this.kept.set(made.id, { target: made, ownerId: knownOwnerOfProject(row.project_id) ?? row.project_id });
    return made;
  }

  /** Evicts targets of the owners with the most, least recently used first. */
  private evict(): void {
    const byOwner = new Map<string, Target[]>();
    for (const kept of this.kept.rvalues()) {
      if (kept === undefined) continue;
      const { target, ownerId } = kept;
      const own = byOwner.get(ownerId);
      if (own === undefined) byOwner.set(ownerId, [target]);
      else own.push(target);
    }
    for (const { id } of surplusOf(byOwner, MAX_KEPT - EVICTED)) this.kept.delete(id);
  }
}

/** Returns the cache of this process. */
export function preparedTargets(): PreparedTargets {
  return once('prepared-targets', () => new PreparedTargets());
}

/** Returns a URL without its query, which may contain a token: people may forward an email. */
export function shownAddress(url: string): string {
  const { origin, path } = addressOf(url);
  return origin + path.replace(/\?.*$/s, '');
}
