import { ERRORS, type ErrorCode } from '@/lib/platform/errors';

/** Returns what a route is fulfilled with to make the API answer with a problem document. */
export function mockProblem(code: ErrorCode, detail: string, headers: Record<string, string> = {}) {
  const [status, title] = ERRORS[code];
  const type = `https://events.example.com/docs/errors#${code}`;
  const problem = { type, title, status, detail, code, requestId: 'req-7' };
  return { status, headers, contentType: 'application/problem+json', body: JSON.stringify(problem) };
}
