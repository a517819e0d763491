import type { ProjectCaller } from '@/lib/audit/caller';
import {
  compileFilter,
  type Filter,
  type FilteredEvent,
  FilterFault,
  keptFilter,
  toFilteredEvent,
} from '@/lib/delivery/filters/filter';
import { describeMisfits } from '@/lib/delivery/filters/filter-policy';
import type { FilterPreview, FilterTest } from '@/lib/delivery/schema';
import type { JsonValue } from '@/lib/events/json/json-value';
import { readNewestEvents } from '@/lib/events/queries';
import { mapInTurns } from '@/lib/orgs/tenant';
import { readHeavily } from '@/lib/platform/connection-shares';
import { fieldError } from '@/lib/platform/errors';
import { asJson } from '@/lib/platform/json-text';

/** @param filter its JSON, as a caller sent it; null for none @throws AppError validation_failed */
export function refuseFilterFault(filter: string | null | undefined): void {
  if (filter !== null && filter !== undefined) compile(filter);
}

/**
 * Says whether an event matches a filter, and which conditions keep it from that.
 * @param given JSON, as the caller sent it: its numbers are exact
 * @throws AppError validation_failed for the filter
 */
export function evaluateFilter({ filter, type, data }: { filter: string; type: string; data: string }): FilterTest {
  return evaluate(compile(filter), { type, data });
}

interface Given {
  type: string;
  /** The text of its JSON. */
  data: string;
}

function evaluate(filter: Filter, { type, data }: Given): FilterTest {
  const failed = filter.explain(toFilteredEvent(type, data));
  return {
    matches: failed.length === 0,
    failed: failed.map(({ value, actual, isNegated: _, ...condition }) => ({
      ...condition,
      value: asJson(value),
      actual: actual === null ? null : showStart(actual),
    })),
  };
}

/** Says in a sentence why a stored filter leaves an event out; null if it matches. */
export function describeMisfit(filter: string, event: FilteredEvent): string | null {
  const failed = keptFilter(filter).explain(event);
  if (failed.length === 0) return null;
  const misfits = failed.map((each) => ({ ...each, actual: each.actual?.startOfText(MAX_SHOWN_BYTES) ?? null }));
  return `Its filter leaves the event out: ${describeMisfits(misfits)}.`;
}

const MAX_TRIED = 50;
const MAX_SHOWN_CHARS = 256;
/** Has at least so many characters, also when each is escaped in six bytes. */
const MAX_SHOWN_BYTES = 2 * 1024;
/** A string in JSON up to its end, or up to the last character that is complete. */
const COMPLETE = /^"(?:[^"\\]|\\u[\da-f]{4}|\\[^u])*/i;

/** Reads only the start: each of many conditions may read the same large value. */
function showStart(actual: JsonValue): unknown {
  const start = actual.startOfText(MAX_SHOWN_BYTES);
  if (start.length <= MAX_SHOWN_CHARS) return asJson(start);
  const text = actual.kind === 'string' ? (JSON.parse(`${COMPLETE.exec(start)?.[0]}"`) as string) : start;
  // A string of few characters may have many escapes.
  return text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS)}…`;
}

/**
 * Says which of the newest events of a project match a filter, and which conditions keep the others from that.
 * @param filter its JSON, as the caller sent it
 * @param eventTypes only events of these types or patterns; empty for all
 * @throws AppError validation_failed for the filter; rate_limited when much of the owner waits
 */
export async function previewFilter(
  caller: ProjectCaller,
  projectId: string,
  filter: string,
  eventTypes: readonly string[],
): Promise<FilterPreview> {
  const compiled = compile(filter);
  const rows = await readHeavily(() => readNewestEvents(projectId, eventTypes, MAX_TRIED));
  const events = await mapInTurns(caller, projectId, rows, ({ id, type, createdAt, payload }) => ({
    id,
    type,
    createdAt: createdAt.toISOString(),
    ...evaluate(compiled, { type, data: payload }),
  }));
  return { checked: events.length, matching: events.filter(({ matches }) => matches).length, events };
}

function compile(filter: string) {
  try {
    return compileFilter(filter);
  } catch (error) {
    if (!(error instanceof FilterFault)) throw error;
    throw fieldError(error.at === '' ? 'filter' : `filter.${error.at}`, error.message);
  }
}
