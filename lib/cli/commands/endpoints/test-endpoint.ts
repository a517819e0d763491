import { CliError } from '@/lib/cli/cli-error';
import { EXIT } from '@/lib/cli/exit-codes';
import { command } from '@/lib/cli/spec';

export const testEndpoint = command({
  name: 'test',
  summary: 'Send a signed test request to an endpoint, and show how it responds.',
  details: 'Exits with 1 if the endpoint does not respond with 2xx.',
  args: { endpointId: { description: 'ID of the endpoint' } },
  examples: [{ line: 'endpoints test $ENDPOINT_ID', does: 'Check that a receiver works.' }],
  run: async (context, { args }) => {
    const result = await context.client.endpoints.test(args.endpointId, await context.inProject());
    context.out.record(result, [
      { header: 'RESULT', value: ({ succeeded }) => (succeeded ? 'succeeded' : 'failed'), kind: 'state' },
      { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
      { header: 'DURATION', value: ({ durationMs }) => `${durationMs} ms` },
      { header: 'ERROR', value: ({ error }) => error },
    ]);
    if (result.succeeded) return;
    throw new CliError({
      message: 'The test request failed.',
      reason: result.error ?? `The endpoint responded with ${result.responseStatus}.`,
      code: 'test_failed',
      exitCode: EXIT.failure,
    });
  },
});
