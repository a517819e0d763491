import type { TestResponse } from '@/lib/tunnel/schema';

/** What the page of a test receiver offers. */
export const TEST_RESPONSES: readonly { response: TestResponse; label: string; description: string }[] = [
  { response: { status: 200, delaySeconds: 0 }, label: '200 OK', description: 'The delivery succeeds.' },
  { response: { status: 400, delaySeconds: 0 }, label: '400 Bad Request', description: 'Fails and is retried.' },
  { response: { status: 410, delaySeconds: 0 }, label: '410 Gone', description: 'Fails and disables the endpoint.' },
  { response: { status: 429, delaySeconds: 0 }, label: '429 Too Many Requests', description: 'Fails and is retried.' },
  { response: { status: 500, delaySeconds: 0 }, label: '500 Server Error', description: 'Fails and is retried.' },
  { response: { status: 503, delaySeconds: 0 }, label: '503 Unavailable', description: 'Fails and is retried.' },
  { response: { status: 200, delaySeconds: 3 }, label: '200 after 3 seconds', description: 'Succeeds slowly.' },
  { response: { status: 200, delaySeconds: 20 }, label: 'Time out', description: 'Answers too late. Retried.' },
];

/** Identifies a response in a list. */
export function testResponseKey({ status, delaySeconds }: TestResponse): string {
  return `${status}-${delaySeconds}`;
}

/** Describes a response in a few words. */
export function describeTestResponse({ status, delaySeconds }: TestResponse): string {
  return delaySeconds === 0 ? String(status) : `${status} after ${delaySeconds} s`;
}
