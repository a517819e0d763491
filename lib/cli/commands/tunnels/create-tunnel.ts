import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-secret';
import { usageError } from '@/lib/cli/input/usage-error';
import { flag, integer, text, texts } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';

/** The service knows what a test receiver waits at most. */
const DELAYS = { min: 0, max: 999 };

export const createTunnel = command({
  name: 'create',
  summary: 'Create a tunnel and show its URL.',
  args: { name: { description: 'name of the tunnel (default: generated)', isOptional: true } },
  options: {
    basicAuth: text('--basic-auth <username>', `require this username and a password, ${FROM_WHERE}`),
    allow: texts('--allow <cidr>', 'allow only this IP address or range (repeatable)'),
    testReceiver: flag('--test-receiver', 'create a test receiver: the service responds, without a local server'),
    status: integer('--status <code>', 'status code of a test receiver’s responses (default 200)', {
      min: 200,
      max: 599,
    }),
    delay: integer('--delay <seconds>', 'how long a test receiver waits before it responds (default 0)', DELAYS),
  },
  examples: [
    { line: 'tunnels create laptop', does: 'Create a tunnel open to everyone.' },
    { line: 'tunnels create demo --basic-auth ada < password.txt', does: 'Require a password.' },
    { line: 'tunnels create office --allow 203.0.113.0/24', does: 'Allow only your office’s addresses.' },
    { line: 'tunnels create failing --test-receiver --status 503', does: 'Watch retries without your own server.' },
  ],
  run: async (context, { args, options }) => {
    const { basicAuth: username, allow: allowedCidrs, testReceiver, status, delay } = options;
    if (!testReceiver && (status !== undefined || delay !== undefined))
      throw usageError('Use --status and --delay with --test-receiver.');
    const password = username === undefined ? null : await readSecret(context, 'the password');
    const body = {
      ...{ name: args.name, allowedCidrs },
      ...(testReceiver ? { testResponse: { status: status ?? 200, delaySeconds: delay ?? 0 } } : {}),
      ...(username === undefined || password === null ? {} : { basicAuth: { username, password } }),
    };
    const tunnel = await context.client.tunnels.create(body, await projectOptions(context));
    context.out.done(tunnel, `Created the tunnel ${tunnel.name} (${tunnel.id}).`, tunnel.url ?? undefined);
    if (context.out.isJson) return;
    if (testReceiver) context.out.note(`Show what it receives: eds tunnels requests ${tunnel.id}`);
    else context.out.note(`Connect a server: eds listen <port> --tunnel ${tunnel.id}`);
  },
});
