import { FROM_WHERE, readSecret } from '@/lib/cli/input/read-secret';
import { text, texts } from '@/lib/cli/options';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';

export const createTunnel = command({
  name: 'create',
  summary: 'Create a tunnel and show its URL.',
  args: { name: { description: 'name of the tunnel (default: generated)', isOptional: true } },
  options: {
    basicAuth: text('--basic-auth <username>', `require this username and a password, ${FROM_WHERE}`),
    allow: texts('--allow <cidr>', 'allow only this IP address or range; may be repeated'),
  },
  examples: [
    { line: 'tunnels create laptop', does: 'Create a tunnel open to everyone.' },
    { line: 'tunnels create demo --basic-auth ada < password.txt', does: 'Require a password.' },
    { line: 'tunnels create office --allow 203.0.113.0/24', does: 'Allow only an office’s addresses.' },
  ],
  run: async (context, { args, options }) => {
    const { basicAuth: username, allow: allowedCidrs } = options;
    const password = username === undefined ? null : await readSecret(context, 'the password');
    const body = {
      ...{ name: args.name, allowedCidrs },
      ...(username === undefined || password === null ? {} : { basicAuth: { username, password } }),
    };
    const tunnel = await context.client.tunnels.create(body, await projectOptions(context));
    context.out.done(tunnel, `Created the tunnel ${tunnel.name} (${tunnel.id}).`, tunnel.url ?? undefined);
    if (!context.out.isJson) context.out.note(`Connect a server: eds listen <port> --tunnel ${tunnel.id}`);
  },
});
