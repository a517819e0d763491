'use client';

import { SuggestFilter } from '@/components/data-table/suggest-filter';
import { RESPONSE_FILTER } from '@/lib/delivery/response-filter-policy';

const SUGGESTIONS = [
  { value: '2xx', hint: 'success' },
  { value: '3xx', hint: 'redirect' },
  { value: '4xx', hint: 'refused' },
  { value: '5xx', hint: 'server error' },
  { value: '429', hint: 'too many requests' },
  { value: 'none', hint: 'no response' },
];

/** Returns what is wrong with a filter by response; undefined when nothing is. */
export function responseFault(typed: string): string | undefined {
  return RESPONSE_FILTER.test(typed) ? undefined : 'Enter a status code such as 503, a class such as 5xx, or none.';
}

/** A filter by the last response: a status code, a class, or none. */
export function ResponseFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  return (
    <SuggestFilter
      label="Response"
      placeholder="503 or 5xx"
      value={value}
      onChange={onChange}
      suggest={(typed) => SUGGESTIONS.filter((each) => each.value.startsWith(typed) && each.value !== typed)}
      faultOf={responseFault}
      width="sm:w-32"
    />
  );
}
