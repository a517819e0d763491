import { LRUCache } from 'lru-cache';
import { findProjectOfKey } from '@/lib/keys/keys-sql';
import { admitIntake } from '@/lib/orgs/admit-intake';
import { cellOfProject, knownOwnerOfProject, ownerOfProject } from '@/lib/orgs/tenant';
import { chooseCell, FIRST_CELL, hasSeveralCells, onceInCell, valuesOfCells } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import { once } from '@/lib/platform/globals';
import { GroupCommit } from '@/lib/platform/group-commit/group-commit';
import type { Store } from '@/lib/platform/group-commit/store-batch';
import { type IngestOutcome, type IngestRow, storeEvents } from './ingest-sql';

/** Beyond this number the key that was used longest ago is forgotten. The next event of one that is not known costs one more statement. */
const MAX_KNOWN = 20_000;

/**
 * Remembers the project of each key that may send events, for shares of the queue and of budgets: what other keys send must not use up
 * what the owner may send. The statement checks every key, so this is never for access.
 */
class KeyProjects {
  private readonly projects = new LRUCache<string, string>({ max: MAX_KNOWN });

  /** Returns the project of a key; null while it is unknown, and for a key that may not send. */
  projectOf(keyHash: Buffer): string | null {
    return this.projects.get(keyHash.toString('latin1')) ?? null;
  }

  /** Notes what the statement found out about a key whose project was `known`. */
  learn(keyHash: Buffer, known: string | null, { keyState, keyScope, keyProjectId }: IngestOutcome): void {
    const found = keyState === 'active' && keyScope === 'READ_WRITE' ? keyProjectId : null;
    if (found === known) return;
    if (found === null) this.projects.delete(keyHash.toString('latin1'));
    else this.note(keyHash, found);
  }

  note(keyHash: Buffer, projectId: string): void {
    this.projects.set(keyHash.toString('latin1'), projectId);
  }
}

/** Stores events by group commit. Owners share it by bytes, and the projects of an owner take turns, so that none delays another. */
export class IngestBatcher {
  private readonly commits: GroupCommit<IngestRow, IngestOutcome>;

  /** @param admit counts the bytes of a project's event, or refuses them, and returns the owner */
  constructor(
    store: Store<IngestRow, IngestOutcome>,
    private readonly admit: typeof admitIntake,
    private readonly keys = new KeyProjects(),
  ) {
    this.commits = new GroupCommit(store, 'events');
  }

  /** Milliseconds since the oldest event arrived that is not stored yet; 0 if there is none. */
  get oldestWaitMs(): number {
    return this.commits.oldestWaitMs;
  }

  /** Returns the project that a key sends for, if this process knows it. */
  projectOf(keyHash: IngestRow['keyHash']): string | null {
    return this.keys.projectOf(keyHash);
  }

  /** Stores one event. @throws AppError rate_limited, overloaded, unavailable: see admitIntake and GroupCommit */
  async add(row: IngestRow): Promise<IngestOutcome> {
    const projectId = this.keys.projectOf(row.keyHash);
    const size = Buffer.byteLength(row.payload);
    const owner = this.admit(projectId, size);
    const outcome = await this.commits.add(row, { owner, lane: projectId ?? owner, size });
    this.keys.learn(row.keyHash, projectId, outcome);
    return outcome;
  }
}

const keyProjects = () => once('key-projects', () => new KeyProjects());

/** Returns the batcher of this process for the cell of the current request. */
export const ingestBatcher = (): IngestBatcher =>
  onceInCell('ingest-batchers', () => new IngestBatcher(storeEvents, admitIntake, keyProjects()));

/** Milliseconds since the oldest event arrived that is not stored yet; 0 if there is none. */
export const oldestIngestWaitMs = (): number =>
  Math.max(0, ...valuesOfCells<IngestBatcher>('ingest-batchers').map((each) => each.oldestWaitMs));

/** Returns the owner of the organization that a key sends for, if this process knows it. */
export function ownerOfKey(keyHash: Buffer): string | undefined {
  const projectId = keyProjects().projectOf(keyHash);
  return projectId === null ? undefined : knownOwnerOfProject(projectId);
}

/**
 * Finds the project that a key may send for, so that each of its events counts for its owner, and chooses the cell of the project. A key
 * that does not exist is refused in any of them.
 */
export async function prepareForKey(keyHash: Buffer): Promise<void> {
  const projectId = keyProjects().projectOf(keyHash);
  if (projectId !== null) {
    if (hasSeveralCells()) chooseCell(await cellOfProject(projectId));
    return;
  }
  const found = await findProjectOfKey.first(database(), { keyHash });
  const allowed = found?.project_id ?? null;
  if (allowed !== null) {
    await ownerOfProject(allowed);
    keyProjects().note(keyHash, allowed);
  }
  if (hasSeveralCells()) chooseCell(found?.cell ?? FIRST_CELL);
}
