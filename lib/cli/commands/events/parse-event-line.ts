import { parseJson } from '@/lib/cli/input/parse-json';
import { usageError } from '@/lib/cli/input/usage-error';

/** An event of a line. */
export interface EventLine {
  type: string;
  data: object;
  idempotencyKey: string | undefined;
}

const FIELDS = ['type', 'data', 'idempotencyKey'];
const EXPECTED = 'It must be an object such as {"type": "order.paid", "data": {"id": 1}}.';

/** Parses a line of NDJSON. The API checks type and data. @throws CliError when it is not an event */
export function parseEventLine(text: string): EventLine {
  const value = parseJson(text, 'The line');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw usageError(EXPECTED);
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw usageError(`It has an unknown field, ${JSON.stringify(unknown)}. ${EXPECTED}`);
  const { idempotencyKey, ...event } = value as EventLine;
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
    throw usageError('idempotencyKey must be text.');
  }
  return { ...event, idempotencyKey };
}
