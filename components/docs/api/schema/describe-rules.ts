import type { Schema } from '@/components/docs/api/document-types';

/** Returns what a value of the schema must satisfy beyond its type, in words. */
export function describeRules(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum, minItems, maxItems, pattern } = schema;
  const lowest = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + 1;
  const rules = [
    range(minLength, maxLength, 'character'),
    range(lowest, maximum, null),
    range(minItems, maxItems, 'item'),
    pattern === undefined ? null : `matches \`${pattern}\``,
  ];
  return rules.filter((rule) => rule !== null);
}

/** Returns "1 to 100 characters", "at least 0", or null without bounds. */
function range(from: number | undefined, to: number | undefined, unit: string | null): string | null {
  const of = (count: number) => {
    const text = count.toLocaleString('en-US');
    return unit === null ? text : `${text} ${unit}${count === 1 ? '' : 's'}`;
  };
  if (from === undefined && to === undefined) return null;
  if (to === undefined) return `at least ${of(from ?? 0)}`;
  if (from === undefined || from === 0) return unit === null && from === 0 ? `0 to ${of(to)}` : `at most ${of(to)}`;
  return from === to ? `exactly ${of(to)}` : `${from.toLocaleString('en-US')} to ${of(to)}`;
}
