import { formatBody } from '@/lib/cli/output/format-body';
import { projectOptions } from '@/lib/cli/session/project-options';
import { command } from '@/lib/cli/spec';

export const showIncomingBody = command({
  name: 'body',
  summary: 'Write the body of an incoming event, byte for byte.',
  details: 'On a terminal, shows indented JSON, text, or a hex dump.',
  args: { id: { description: 'ID of the incoming event' } },
  examples: [
    { line: 'incoming body 0198c0de-… > body.bin', does: 'Save the body.' },
    { line: 'incoming body 0198c0de-… | jq .data', does: 'Read part of it.' },
  ],
  run: async (context, { args }) => {
    const { client, out, terminal } = context;
    const project = await projectOptions(context);
    if (!out.isJson && !terminal.stdout.isTTY) {
      const response = await client.incomingEvents.getBody(args.id, project);
      return out.bytes(new Uint8Array(await response.arrayBuffer()));
    }
    const { id, contentType, size, body, bodyBase64 } = await client.incomingEvents.get(args.id, project);
    out.value({ id, contentType, size, body, bodyBase64 }, formatBody({ text: body, base64: bodyBase64 }));
  },
});
