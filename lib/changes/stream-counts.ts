import { AppError } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

export interface StreamLimits {
  /** Streams of one person or key in this process. */
  perCaller: number;
  perProject: number;
  perProcess: number;
  /** Projects that this process watches at once. */
  projects: number;
}

/** A stream costs a socket and a timer; a project costs part of a statement every half second. */
const LIMITS: StreamLimits = { perCaller: 10, perProject: 100, perProcess: 500, projects: 100 };
const RETRY_AFTER_SECONDS = 10;

/** Counts the open streams of a process, and bounds them. */
export class StreamCounts {
  readonly #byCaller = new Map<string, number>();
  readonly #byProject = new Map<string, number>();
  #all = 0;

  constructor(private readonly limits: StreamLimits) {}

  /** The number of open streams. */
  get open(): number {
    return this.#all;
  }

  /**
   * Counts one more stream.
   * @returns a function that stops counting it; calling it again does nothing
   * @throws AppError rate_limited
   */
  add(callerId: string, projectId: string): () => void {
    const { perCaller, perProject, perProcess, projects } = this.limits;
    const ofProject = this.#byProject.get(projectId) ?? 0;
    if ((this.#byCaller.get(callerId) ?? 0) >= perCaller) {
      throw tooMany(`You already have ${perCaller} streams of changes open. Close one first.`);
    }
    if (ofProject >= perProject) throw tooMany(`${perProject} streams of changes are open for this project.`);
    if (this.#all >= perProcess || (ofProject === 0 && this.#byProject.size >= projects)) {
      throw tooMany('Too many streams of changes are open.');
    }
    change(this.#byCaller, callerId, 1);
    change(this.#byProject, projectId, 1);
    this.#all += 1;
    let isCounted = true;
    return () => {
      if (!isCounted) return;
      isCounted = false;
      change(this.#byCaller, callerId, -1);
      change(this.#byProject, projectId, -1);
      this.#all -= 1;
    };
  }
}

function change(counts: Map<string, number>, id: string, by: 1 | -1): void {
  const count = (counts.get(id) ?? 0) + by;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}

function tooMany(what: string): AppError {
  return new AppError('rate_limited', `${what} Read the lists at intervals meanwhile.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/** Returns the counts of this process. */
export function streamCounts(): StreamCounts {
  return once('change-streams', () => new StreamCounts(LIMITS));
}
