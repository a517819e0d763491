import { compileFilter, FilterFault, toFilteredEvent } from '@/lib/delivery/filters/filter';
import type { FilterTest } from '@/lib/delivery/schema';
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
  const compiled = compile(filter);
  const failed = compiled.explain(toFilteredEvent(type, data));
  return {
    matches: failed.length === 0,
    failed: failed.map(({ value, actual, ...condition }) => ({
      ...condition,
      value: asJson(value),
      actual: actual === null ? null : asJson(actual),
    })),
  };
}

function compile(filter: string) {
  try {
    return compileFilter(filter);
  } catch (error) {
    if (!(error instanceof FilterFault)) throw error;
    throw fieldError(error.at === '' ? 'filter' : `filter.${error.at}`, error.message);
  }
}
