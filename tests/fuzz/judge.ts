import type { Problem } from '@/tests/api-request';
import { ADMIN_TOKEN } from '@/tests/operator';
import { NEW_PASSWORD } from '@/tests/passwords';
import { PASSWORD } from '@/tests/people';
import type { Rendered } from './plan';
import { type NoAnswer, PATIENCE_MS, type RawAnswer } from './raw-http';

/** The secrets of the deployment that a storm goes over. */
export const SECRETS = {
  AUTH_SECRET: 'signing-secret-of-the-fuzz'.repeat(3),
  ENCRYPTION_KEY: Buffer.alloc(32, 'fuzz').toString('base64'),
  PLATFORM_ADMIN_TOKEN: ADMIN_TOKEN,
  IDP_OAUTH_CLIENT_SECRET: 'client-secret-of-the-fuzz',
};

/** What no answer may hold, whoever asks: secrets of ours, passwords, and hashes of them. */
const UNSPEAKABLE = [...Object.values(SECRETS), PASSWORD, NEW_PASSWORD, '$2a$04$', '$2b$04$'];

/** How the code, the database, the validator and the runtime speak of their faults: not to callers. */
const INTERNAL_WORDS =
  /\bat (?:Object|Module|async|process|new)\b|\n\s+at |node_modules|\.tsx?\b:|ZodError|Invalid input|prisma|ECONN|\bSELECT\b|INSERT INTO|violates|syntax error|Unexpected (?:token|end)|Cannot read|is not a function|call stack/i;

const MEMBERS = ['type', 'title', 'detail', 'code', 'requestId'] as const;

/** What is wrong with an answer, in words; null when it is one that a server may give. */
export function judge(request: Rendered, answer: RawAnswer | NoAnswer): string | null {
  if (answer.ms >= PATIENCE_MS) return `took ${Math.round(answer.ms)} ms`;
  if ('reason' in answer) return isNeverRead(request) ? null : answer.reason;
  const { status, headers, text } = answer;
  const told = JSON.stringify(headers) + text;
  const secret = UNSPEAKABLE.find((words) => told.includes(words));
  if (secret !== undefined) return `tells a secret (${secret}): ${text}`;
  if (!(status >= 200 && status < 600)) return `status ${status}`;
  if (headers['x-request-id'] === undefined) return `${status} without X-Request-Id`;
  if (status > 500 || status === 429 || status === 423) {
    if (!/^[1-9]\d*$/.test(headers['retry-after'] ?? '')) return `${status} without a whole Retry-After: ${text}`;
  }
  if (status >= 500 && status !== 503) return `${status}: ${text}`;
  return status < 400 || request.method === 'HEAD' ? null : judgeProblem(answer);
}

/** A large body where none is read: what is still under way of the answer is lost when the connection ends (RFC 9112 9.6). */
function isNeverRead({ method, body }: Rendered): boolean {
  return (method === 'GET' || method === 'HEAD') && body.length > 60_000;
}

function judgeProblem({ status, headers, text }: RawAnswer): string | null {
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
