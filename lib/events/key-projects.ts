import type { IngestOutcome } from './ingest-sql';

/** Beyond this number all keys are forgotten, until their next event is stored. */
const MAX_KNOWN = 10_000;

/**
 * Remembers the project of each key, for shares of the queue and of budgets. The statement checks every key, so this is never for
 * access.
 */
export class KeyProjects {
  private readonly projects = new Map<string, string>();

  /** Returns the project of a key; null while it is unknown. */
  projectOf(keyHash: Buffer): string | null {
    return this.projects.get(keyHash.toString('latin1')) ?? null;
  }

  /** Notes what the statement found out about a key whose project was `known`. */
  learn(keyHash: Buffer, known: string | null, { keyState, keyProjectId }: IngestOutcome): void {
    const found = keyState === 'active' ? keyProjectId : null;
    if (found === known) return;
    const name = keyHash.toString('latin1');
    if (found === null) {
      this.projects.delete(name);
      return;
    }
    if (this.projects.size >= MAX_KNOWN) this.projects.clear();
    this.projects.set(name, found);
  }
}
