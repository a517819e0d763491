import { Cron } from 'croner';
import * as z from 'zod';

/** A variable of the environment. */
export interface Variable<T> {
  schema: z.ZodType<T>;
  /** The default as a deployment would write it; '' means unset. */
  default: string;
  about: string;
  secret?: boolean;
}

/** A whole number in a range. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));

/** A number from 0 to 1. */
export const share = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/, 'must be a number from 0 to 1')
  .transform(Number)
  .pipe(z.number().max(1, 'must be at most 1'));

/** `true` or `false`. */
export const boolean = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

/** A comma list. @param item tells what is wrong with an entry, or null */
export const list = (item: (text: string) => string | null) =>
  z
    .string()
    .transform((text) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .superRefine((parts, context) => {
      for (const [index, part] of parts.entries()) {
        const fault = item(part);
        if (fault !== null) context.addIssue({ code: 'custom', message: `entry ${index + 1} ${fault}` });
      }
    });

/** Makes a check of a function that tells what is wrong with a text, or null. */
export const refuseWith = (find: (text: string) => string | null) => (text: string, context: z.RefinementCtx) => {
  const fault = find(text);
  if (fault !== null) context.addIssue({ code: 'custom', message: fault });
};

/** A cron schedule, with single spaces. */
export const cron = z
  .string()
  .transform((text) => text.trim().replace(/\s+/g, ' '))
  .superRefine(refuseWith(findCronFault));

/** A URL with one of these protocols. */
export const url = (protocols: RegExp) =>
  z.string().refine(
    // URL drops spaces and control characters, which other readers do not.
    (text) => !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) && protocols.test(new URL(text).protocol),
    `must be a URL (${protocols.source})`,
  );

/** URL does not check the host of smtp: and smtps:, and nodemailer would refuse a bad one only later. */
export const smtpUrl = url(/^smtps?:$/).refine((text) => hasValidHost(text), 'must have a valid host name');

function hasValidHost(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { hostname } = new URL(text);
  return hostname === '' || URL.canParse(`http://${hostname}`);
}

/** `name@host`, or `Name <name@host>`. */
export const mailbox = z
  .string()
  .regex(
    /^(?:[^<>@\p{Cc}]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u,
    'must be an address, or a name and <address>',
  );

/** Makes an empty text count as unset. */
export const optional = <T>(schema: z.ZodType<T>) =>
  z.preprocess((text) => (text === '' ? undefined : text), schema.optional()) as z.ZodType<T | undefined>;

/** Describes a variable. */
export const define = <T>(schema: z.ZodType<T>, byDefault: string, about: string, secret?: boolean): Variable<T> => ({
  schema,
  default: byDefault,
  about,
  ...(secret === undefined ? {} : { secret }),
});

/** The days after which something is removed. */
export const days = (byDefault: string, what: string) =>
  define(integer(1, 36_500), byDefault, `Days after which ${what} are deleted.`);

/** A tenant's limit. At least 1, because an account is created with an organization. */
export const limit = (byDefault: string, about: string, max = 1_000_000) => define(integer(1, max), byDefault, about);

/** Whether a text is exactly an origin of the web. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}

/** Whether a host name is a loopback address, as on a local stack. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Any past time works: without a year field, a cron that fires once fires every year. */
const SOME_TIME = new Date(0);

/**
 * Returns why a cron is invalid; null if it has five fields, or six with seconds first, and fires. Nicknames, years and
 * dates are refused: code that shows schedules relies on fields.
 */
export function findCronFault(text: string): string | null {
  const count = text.split(' ').length;
  if (count < 5 || count > 6) return 'must be a cron of five fields, or six with seconds first';
  try {
    const cron = new Cron(text, { paused: true, timezone: 'UTC', mode: '5-or-6-parts' });
    return cron.nextRun(SOME_TIME) === null ? 'must be a cron that fires; no date matches this one' : null;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    return `must be a cron; ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  }
}
