import { CliError } from '@/lib/cli/cli-error';
import { describeTiming, headerText } from '@/lib/cli/commands/deliveries/describe-exchange';
import { EXIT } from '@/lib/cli/exit-codes';
import { readJsonArgument } from '@/lib/cli/input/read-json-argument';
import { text } from '@/lib/cli/options';
import { Details } from '@/lib/cli/output/details';
import { formatDuration } from '@/lib/cli/output/format-duration';
import { Progress } from '@/lib/cli/output/progress';
import { command } from '@/lib/cli/spec';

export const testEndpoint = command({
  name: 'test',
  summary: 'Send a signed test event to an endpoint now, and show its response. Exit 1 if it fails.',
  details: 'The event is neither stored nor retried. You can also test a disabled endpoint.',
  args: { id: { description: 'ID of the endpoint' } },
  options: {
    type: text('--type <type>', 'type of the test event (default `endpoint.test`)'),
    data: text('-d, --data <json|@file|->', 'data of the test event, a JSON object (default: a short message)'),
  },
  examples: [
    { line: 'endpoints test 0197b6a0-…', does: 'Check that a receiver answers.' },
    { line: `endpoints test 0197b6a0-… --type order.paid -d '{"orderId": 42}'`, does: 'Test with your own event.' },
  ],
  run: async (context, { args, options }) => {
    const { client, out, terminal, signal } = context;
    const project = { projectId: await context.projectId(), signal };
    const { type, data } = options;
    const what = { option: '--data', what: 'the data of the event' };
    const event = {
      ...(type === undefined ? {} : { type }),
      ...(data === undefined ? {} : { data: { ...(await readJsonArgument(terminal, data, what)) } }),
    };
    const progress = new Progress(terminal);
    progress.show('Waiting for the response…');
    const result = await client.endpoints.test(args.id, event, project).finally(() => progress.clear());
    if (out.isJson) out.value(result, '');
    else {
      const details = new Details(terminal, out.style);
      details.fields(result, [
        { header: 'RESULT', value: ({ succeeded }) => (succeeded ? 'delivered' : 'failed'), kind: 'state' },
        { header: 'STATUS', value: ({ responseStatus }) => responseStatus, kind: 'state' },
        { header: 'ERROR', value: ({ error }) => error },
        { header: 'DURATION', value: ({ durationMs }) => formatDuration(durationMs) },
        { header: 'TIMING', value: ({ timing }) => describeTiming(timing) },
        { header: 'REMOTE ADDRESS', value: ({ remoteAddress }) => remoteAddress },
      ]);
      if (result.responseHeaders !== null) details.text('HEADERS', 'header', headerText(result.responseHeaders));
      if (result.responseBody !== null) details.text('RESPONSE', 'response', result.responseBody);
    }
    if (result.succeeded) return;
    throw new CliError({
      message: 'The test failed.',
      reason: result.error ?? undefined,
      code: 'test_failed',
      exitCode: EXIT.failure,
    });
  },
});
