import * as z from 'zod';

/**
 * A record of at most `max` members. Zod counts them after it has checked each, and 36,000 that are wrong took half a second of the main
 * thread; this counts them first.
 */
export function smallRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  { max, message }: { max: number; message: string },
): z.ZodType<z.output<z.ZodRecord<Key, Value>>, z.input<z.ZodRecord<Key, Value>>> {
  const count = (given: unknown, context: z.RefinementCtx) => {
    if (typeof given !== 'object' || given === null || Object.keys(given).length <= max) return given;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const record = z.record(key, value).meta({ maxProperties: max });
  // What it takes is what the record takes: callers are told of no other type.
  return z.preprocess(count, record) as unknown as z.ZodType<z.output<typeof record>, z.input<typeof record>>;
}
