import * as z from 'zod';
import { AppError, type FieldFault } from '@/lib/platform/errors';
import { inThreadTurn } from '@/lib/platform/thread-turns';
import { describeIssue } from './describe-issue';
import type { ApiRequest } from './request';

/** `utf8` is a common misspelling of the charset UTF-8. */
const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;\s*charset="?utf-?8"?\s*)?$/i;
/** Bounds the errors that are listed: a response must not be larger than its request. */
export const MAX_FAULTS = 50;
export const MAX_PATH_CHARS = 200;
const NoBody = z.strictObject({});
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body, and returns its text and checked value. An empty body of any type counts as `{}` if `optional`.
 *
 * @param beforeParsing gets the body before it is parsed, because parsing a large one blocks the event loop, and what returns a signal that
 *   aborts when other bodies need its memory
 * @throws AppError unsupported_media_type, payload_too_large, invalid_json, validation_failed, rate_limited, overloaded
 */
export async function readJson<T>(
  request: ApiRequest,
  schema: z.ZodType<T>,
  limits: { limitBytes: number; optional: boolean },
  beforeParsing: (bytes: Buffer, needed: () => AbortSignal) => Promise<void> = async () => undefined,
): Promise<{ text: string; value: T }> {
  if (!limits.optional) checkMediaType(request);
  return request.readBody(limits.limitBytes, async (bytes, needed) => {
    if (bytes.length === 0 && limits.optional) return { text: '{}', value: validate(schema, {}) };
    checkMediaType(request);
    if (request.header('content-type') === null) throw unsupported();
    await beforeParsing(bytes, needed);
    return inThreadTurn(request.client, needed, () => {
      const { text, value } = parseJson(bytes);
      return { text, value: validate(schema, value) };
    });
  });
}

/**
 * Refuses a body where none is expected. An empty JSON object is accepted, for clients that always send a body.
 * @throws AppError as readJson
 */
export async function refuseBody(request: ApiRequest, limitBytes: number): Promise<void> {
  await request.readBody(limitBytes, (bytes) => {
    if (bytes.length === 0) return;
    checkMediaType(request);
    validate(NoBody, parseJson(bytes).value);
  });
}

/** Errors in the headers are reported before the body is read. */
function checkMediaType(request: ApiRequest): void {
  const contentType = request.header('content-type');
  if (contentType !== null && !JSON_TYPE.test(contentType)) throw unsupported();
  const encoding = request.header('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw unsupported();
}

function unsupported(): AppError {
  return new AppError('unsupported_media_type', 'Send the body as application/json in UTF-8, not compressed.', {
    headers: { Accept: 'application/json' },
  });
}

function parseJson(bytes: Buffer): { text: string; value: unknown } {
  try {
    const text = UTF8.decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not JSON' : 'is not UTF-8';
    throw new AppError('invalid_json', bytes.length === 0 ? 'The body is empty.' : `The body ${what}.`);
  }
}

/**
 * Checks a value of a request against its schema, and lists every error.
 * @throws AppError validation_failed
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const errors = result.error.issues.flatMap(faultsOf).slice(0, MAX_FAULTS);
  const [first] = errors;
  const detail = first === undefined ? 'The request is not valid.' : sentence(first, errors.length);
  throw new AppError('validation_failed', detail, { errors });
}

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_FAULTS).map((key) => ({
      path: [...issue.path, key].join('.').slice(0, MAX_PATH_CHARS),
      message: 'is not a known field',
    }));
  }
  return [{ path: issue.path.join('.').slice(0, MAX_PATH_CHARS), message: issue.message }];
}

function sentence(first: FieldFault, count: number): string {
  const subject = first.path === '' ? 'The body' : first.path;
  const rest = count > 1 ? ` (and ${count - 1} more)` : '';
  return `${subject}: ${first.message}${rest}`;
}
