import type { TestResponse, UpdateTunnelBody } from '@/lib/tunnel/schema';

interface TestColumns {
  testStatus: number | null;
  testDelaySeconds: number | null;
}

/** Returns the columns for the test response in the body, and none when it is omitted. */
export function testColumns({ testResponse }: UpdateTunnelBody): Partial<TestColumns> {
  if (testResponse === undefined) return {};
  return { testStatus: testResponse?.status ?? null, testDelaySeconds: testResponse?.delaySeconds ?? null };
}

/** Returns what a test receiver answers; null for a tunnel to a local server. */
export function testResponseOf({ testStatus, testDelaySeconds }: TestColumns): TestResponse | null {
  return testStatus === null ? null : { status: testStatus, delaySeconds: testDelaySeconds ?? 0 };
}
