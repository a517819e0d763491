import { ADMIN_TOKEN } from '@/tests/fixtures/operator';
import { NEW_PASSWORD } from '@/tests/fixtures/passwords';
import { PASSWORD } from '@/tests/fixtures/people';
import type { Problem } from '@/tests/http/api-request';
import type { Rendered } from './plan';
import { MAX_RESPONSE_MS, type NoResponse, type RawResponse } from './raw-http';

/** The secrets of the deployment under test. */
export const SECRETS = {
  AUTH_SECRET: 'signing-secret-of-the-fuzz'.repeat(3),
  ENCRYPTION_KEY: Buffer.alloc(32, 'fuzz').toString('base64'),
  PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN,
  IDP_OAUTH_CLIENT_SECRET: 'client-secret-of-the-fuzz',
};

/** Texts that no response may contain: secrets of the deployment, passwords and their hashes. */
const SECRET_TEXTS = [...Object.values(SECRETS), PASSWORD, NEW_PASSWORD, '$2a$04$', '$2b$04$'];

/** Words from errors of the code, the database, the validator and the runtime, which callers must not see. */
const INTERNAL_WORDS =
  /\bat (?:Object|Module|async|process|new)\b|\n\s+at |node_modules|\.tsx?\b:|ZodError|Invalid input|prisma|ECONN|\bSELECT\b|INSERT INTO|violates|syntax error|Unexpected (?:token|end)|Cannot read|is not a function|call stack/i;

const MEMBERS = ['type', 'title', 'detail', 'code', 'requestId'] as const;

/** Describes what is wrong with a response; null for an acceptable one. */
export function findFault(request: Rendered, answer: RawResponse | NoResponse): string | null {
  if (answer.ms >= MAX_RESPONSE_MS) return `took ${Math.round(answer.ms)} ms`;
  if ('reason' in answer) return mayGetNoResponse(request) ? null : answer.reason;
  const { status, headers, text } = answer;
  const told = JSON.stringify(headers) + text;
  const secret = SECRET_TEXTS.find((words) => told.includes(words));
  if (secret !== undefined) return `contains a secret (${secret}): ${text}`;
  if (!(status >= 200 && status < 600)) return `status ${status}`;
  if (headers['x-request-id'] === undefined) return `${status} without X-Request-Id`;
  if (status === 502) return text.includes('"code":"tunnel_offline"') ? findProblemFault(answer) : `502: ${text}`;
  if (status > 500 || status === 429 || status === 423) {
    if (!/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return `${status} without a whole Retry-After: ${text}`;
  }
  if (status >= 500 && status !== 503) return `${status}: ${text}`;
  return status < 400 || request.method === 'HEAD' ? null : findProblemFault(answer);
}

/** A server does not read a large body of GET; when it closes the connection, the response may be lost (RFC 9112 9.6). */
function mayGetNoResponse({ method, body }: Rendered): boolean {
  return (method === 'GET' || method === 'HEAD') && body.length > 60_000;
}

function findProblemFault({ status, headers, text }: RawResponse): string | null {
  const shown = `${status}: ${text.slice(0, 1_000)}`;
  if (headers['content-type'] !== 'application/problem+json') return `${headers['content-type']} ${shown}`;
  const problem = JSON.parse(text) as Problem;
  const missing = MEMBERS.find((member) => typeof problem[member] !== 'string' || problem[member] === '');
  if (missing !== undefined) return `no ${missing} in ${shown}`;
  if (problem.status !== status) return `another status in ${shown}`;
  if (problem.requestId !== headers['x-request-id']) return `another request id in ${shown}`;
  if (status === 400 && !Array.isArray(problem.errors)) return `no errors in ${shown}`;
  return INTERNAL_WORDS.test(text) ? `internal words in ${shown}` : null;
}
