import * as z from 'zod';

/**
 * A record of at most `max` members. Zod counts them after it has checked each, and 36,000 that are wrong took half a second of the main
 * thread; this counts them first. A member `__proto__` is refused.
 */
export function smallRecord<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  key: Key,
  value: Value,
  { max, message }: { max: number; message: string },
): z.ZodType<z.output<z.ZodRecord<Key, Value>>, z.input<z.ZodRecord<Key, Value>>> {
  const checkNames = (given: unknown, context: z.RefinementCtx) => {
    if (typeof given !== 'object' || given === null) return given;
    const refuse = (fault: string, path: string[]) => {
      context.addIssue({ code: 'custom', message: fault, path });
      return z.NEVER;
    };
    if (Object.keys(given).length > max) return refuse(message, []);
    // Zod drops this member without an error.
    return Object.hasOwn(given, '__proto__') ? refuse('is reserved', ['__proto__']) : given;
  };
  const record = z.record(key, value).meta({ maxProperties: max });
  // What it takes is what the record takes: callers are told of no other type.
  return z.preprocess(checkNames, record) as unknown as z.ZodType<z.output<typeof record>, z.input<typeof record>>;
}
