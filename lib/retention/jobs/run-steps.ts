import { inCell, knownCells } from '@/lib/platform/cells/current-cell';
import { MINUTE_MS } from '@/lib/platform/clock';
import { isDatabaseUnreachable } from '@/lib/platform/database-errors';
import { oneLineOf } from '@/lib/platform/errors';
import { log } from '@/lib/platform/log';
import type { CleanupStep, JobRun } from './job-run';

/** How long a cell is cleaned while others wait: one with a large backlog, or a slow one, must not keep them waiting for hours. */
const TURN_MS = 5 * MINUTE_MS;

interface StepLimits {
  /** The batch under way is abandoned when this resolves. */
  graceEnds: Promise<void>;
  /** When the time of the job is over, by performance.now(). */
  endsAtMs: number;
}

/** What is left to do in a cell; with null, in the tables that all cells share. */
interface Part {
  cell: string | null;
  steps: CleanupStep[];
}

/**
 * Runs the steps of a job. Where there are several cells, they take turns: each gets the same share of the time that is left, at most
 * five minutes, and continues in its next turn with the step that was interrupted. What all cells share comes last.
 *
 * @returns the reasons of the steps that failed
 */
export async function runSteps(
  run: JobRun,
  steps: readonly CleanupStep[],
  { graceEnds, endsAtMs }: StepLimits,
): Promise<string[]> {
  const faults: string[] = [];
  let waiting = partsOf(steps);
  while (waiting.length > 0 && !run.signal.aborted) {
    const unfinished: Part[] = [];
    for (const [n, part] of waiting.entries()) {
      const others = waiting.length - n;
      const isLast = others === 1 && unfinished.length === 0;
      const turnMs = isLast ? Number.POSITIVE_INFINITY : Math.min(TURN_MS, (endsAtMs - performance.now()) / others);
      const turn = startTurn(run.signal, turnMs);
      faults.push(...(await runPart({ ...run, signal: turn.signal }, part, graceEnds)));
      turn.end();
      if (part.steps.length > 0) unfinished.push(part);
    }
    waiting = unfinished;
  }
  return faults;
}

function partsOf(steps: readonly CleanupStep[]): Part[] {
  const [only, ...others] = knownCells();
  if (only !== undefined && others.length === 0) return [{ cell: only, steps: [...steps] }];
  const ofCells = steps.filter(({ isShared }) => !isShared);
  const shared = steps.filter(({ isShared }) => isShared);
  const parts: Part[] = knownCells().map((cell) => ({ cell, steps: [...ofCells] }));
  return [...parts, { cell: null, steps: shared }].filter((part) => part.steps.length > 0);
}

/** Runs steps, and takes those that have ended out of the list. @returns the reasons of those that failed */
async function runPart(run: JobRun, part: Part, graceEnds: Promise<void>): Promise<string[]> {
  const faults: string[] = [];
  const cell = knownCells().length === 1 ? null : part.cell;
  const ofPart: JobRun = cell === null ? run : { ...run, cell };
  for (let step = part.steps[0]; step !== undefined && !run.signal.aborted; step = part.steps[0]) {
    const { name } = step;
    try {
      // The database rolls back an abandoned batch when the process or its connection ends.
      await Promise.race([inPlace(part.cell, () => step.clean(ofPart)), graceEnds]);
      // The next turn repeats an interrupted step from its start.
      if (run.signal.aborted) break;
    } catch (error) {
      const facts = { err: error, job: run.job, runId: run.id, step: name, ...(cell === null ? {} : { cell }) };
      log().error(facts, 'retention step failed');
      faults.push(`${name}${cell === null ? '' : ` in ${cell}`}: ${oneLineOf(error)}`);
      // The other steps would wait for a connection and fail in the same way.
      if (isDatabaseUnreachable(error)) part.steps.length = 0;
    }
    part.steps.shift();
  }
  return faults;
}

/** Names the cell also where there is one: another may be added during a run. */
const inPlace = <T>(cell: string | null, work: () => T): T => (cell === null ? work() : inCell(cell, work));

/** Begins a turn, which ends with the run. AbortSignal.any leaks in Node 20 (./run-job.ts). */
function startTurn(ofRun: AbortSignal, ms: number) {
  const turn = new AbortController();
  const abort = () => turn.abort();
  if (ofRun.aborted) abort();
  ofRun.addEventListener('abort', abort);
  const timer = Number.isFinite(ms) ? setTimeout(abort, Math.max(0, ms)) : undefined;
  return {
    signal: turn.signal,
    end: () => {
      clearTimeout(timer);
      ofRun.removeEventListener('abort', abort);
    },
  };
}
