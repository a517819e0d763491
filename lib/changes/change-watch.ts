import { inCellsOf } from '@/lib/orgs/tenant';
import { runLongTask } from '@/lib/platform/background';
import { currentCell, onceInCell } from '@/lib/platform/cells/current-cell';
import { database } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { digestProjects } from './changes-sql';
import { CHANGE_KINDS, type ChangeKind } from './types';

/** A sleep that can be ended early. A ring while nobody sleeps ends the next sleep at once. */
class Alarm {
  #isRinging = false;
  #wake: (() => void) | null = null;

  /** Resolves after the time, or when the alarm rings. One caller at a time. */
  async sleep(ms: number): Promise<void> {
    if (!this.#isRinging) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRinging = false;
    this.#wake = null;
  }

  ring(): void {
    this.#isRinging = true;
    this.#wake?.();
  }
}

/** One value for each kind. It changes when a row of the newest page is added, removed or changed. */
export type Digests = Record<ChangeKind, string | null>;

/** The time between two polls, and the longest one while the database fails. */
const POLL_MS = 500;
const MAX_BACKOFF_MS = 8_000;

/** The time after a poll in which there is no other one, also for a new project: this many times as long as the poll took. */
const REST_FACTOR = 9;

/** Somebody who watches a project. Its functions must not throw. */
export interface Watcher {
  /** Changes from now on are told: what was read before this may be out of date. */
  ready(): void;
  changed(kinds: readonly ChangeKind[]): void;
  /** The process stops, or the project has moved. */
  end(): void;
}

interface ProjectWatch {
  /** Null until the first poll. */
  digests: Digests | null;
  watchers: Set<Watcher>;
}

/** Reads the digests of projects. A project without them has moved: its watchers are ended, and watch it again where it is. */
type Read = (projectIds: readonly string[]) => Promise<Map<string, Digests>>;

/**
 * Tells watchers which kinds of rows of their project changed. It polls the database, for all projects of a cell with one statement,
 * while somebody watches, because any process may have written the rows. At most a tenth of the time is spent on polls
 * (docs/decisions/045-lists.md).
 */
export class ChangeWatch {
  readonly #projects = new Map<string, ProjectWatch>();
  readonly #alarm = new Alarm();
  #isRunning = false;

  constructor(
    private readonly read: Read,
    private readonly pollMs = POLL_MS,
  ) {}

  /** The number of watched projects. */
  get projects(): number {
    return this.#projects.size;
  }

  /** Begins to watch a project. Returns a function that ends it; calling it again does nothing. */
  watch(projectId: string, watcher: Watcher): () => void {
    const project = this.#projects.get(projectId) ?? { digests: null, watchers: new Set() };
    this.#projects.set(projectId, project);
    project.watchers.add(watcher);
    if (project.digests !== null) queueMicrotask(() => project.watchers.has(watcher) && watcher.ready());
    else this.#alarm.ring();
    this.#run();
    return () => {
      project.watchers.delete(watcher);
      if (project.watchers.size > 0 || this.#projects.get(projectId) !== project) return;
      this.#projects.delete(projectId);
      if (this.#projects.size === 0) this.#alarm.ring();
    };
  }

  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const running = runLongTask((signal) => this.#loop(signal));
    running.catch((error: unknown) => log().error({ err: error }, 'the watch for changes failed'));
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const rest = new Alarm();
    const stop = () => {
      rest.ring();
      this.#alarm.ring();
    };
    signal.addEventListener('abort', stop);
    try {
      let failures = 0;
      while (this.#projects.size > 0 && !signal.aborted) {
        const startedMs = performance.now();
        failures = (await this.#poll(failures)) ? 0 : failures + 1;
        const restMs = Math.min(MAX_BACKOFF_MS, REST_FACTOR * (performance.now() - startedMs));
        if (restMs >= 1) await rest.sleep(restMs);
        await this.#alarm.sleep(Math.min(MAX_BACKOFF_MS, this.pollMs * 2 ** failures) - restMs);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#isRunning = false;
      this.#end([...this.#projects.keys()]);
    }
  }

  /** Returns whether the database answered. */
  async #poll(failures: number): Promise<boolean> {
    const ids = [...this.#projects.keys()];
    try {
      const found = await this.read(ids);
      for (const id of ids) {
        const digests = found.get(id);
        if (digests === undefined) this.#end([id]);
        else this.#compare(id, digests);
      }
      return true;
    } catch (error) {
      // One line for each outage. Streams stay open with their heartbeats.
      if (failures === 0) log().warn({ err: error }, 'could not poll for changes; trying again');
      return false;
    }
  }

  #compare(projectId: string, digests: Digests): void {
    const project = this.#projects.get(projectId);
    if (project === undefined) return;
    const before = project.digests;
    project.digests = digests;
    if (before === null) {
      for (const watcher of project.watchers) watcher.ready();
      return;
    }
    const kinds = CHANGE_KINDS.filter((kind) => before[kind] !== digests[kind]);
    if (kinds.length > 0) for (const watcher of project.watchers) watcher.changed(kinds);
  }

  #end(projectIds: readonly string[]): void {
    const projects = projectIds.map((id) => this.#projects.get(id));
    for (const id of projectIds) this.#projects.delete(id);
    for (const project of projects) for (const watcher of project?.watchers ?? []) watcher.end();
  }
}

/** Returns the watch of this process for the current cell: one that does not answer must not hold up those of others. */
export function changeWatch(): ChangeWatch {
  return onceInCell('change-watch', () => new ChangeWatch(readDigests));
}

/** Reads the digests of projects, by project. Without those that have moved to another cell than the current one. */
async function readDigests(projectIds: readonly string[]): Promise<Map<string, Digests>> {
  const cell = currentCell();
  const rows = await inCellsOf(
    projectIds,
    (id) => id,
    async (projects) => (currentCell() === cell ? digestProjects.all(database(), { projects }) : []),
  );
  return new Map(
    rows.flat().map((row) => [
      row.project_id,
      {
        events: row.events,
        deliveries: row.deliveries,
        incomingEvents: row.incoming_events,
        tunnelRequests: row.tunnel_requests,
      },
    ]),
  );
}
