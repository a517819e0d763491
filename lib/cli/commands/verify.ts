import { CliError, usageError } from '@/lib/cli/cli-error';
import type { Context } from '@/lib/cli/context';
import { OPERATIONS } from '@/lib/cli/generated/operations';
import { FROM_WHERE, readBytes, readSecret } from '@/lib/cli/input/read-input';
import { choice, text, texts, time } from '@/lib/cli/options';
import { columns } from '@/lib/cli/output/column';
import { endpointIdOf, findByName } from '@/lib/cli/session/choose';
import { command } from '@/lib/cli/spec';
import type { SignatureCheck } from '@/lib/delivery/schema';
import type { SignatureForm, SignatureScheme } from '@/lib/delivery/signature-schemes-policy';

/** Not from the schemes themselves: they load cryptography, which no other command needs. */
const PROVIDERS = OPERATIONS['sources.create'].input.provider.choices.filter(
  (each) => each !== 'NONE',
) as SignatureScheme[];

const FIELDS = columns<SignatureCheck>(
  { header: 'RESULT', value: ({ verified }) => (verified ? 'verified' : 'unverified'), kind: 'state' },
  { header: 'REASON', value: ({ verified, reason }) => (verified ? null : reason) },
  { header: 'SIGNED WITH', value: ({ signedWith }) => signedWith && `the ${signedWith} secret` },
  { header: 'SIGNED AT', value: ({ signedAt }) => signedAt, kind: 'time' },
  { header: 'DIFFERS AFTER', value: ({ difference }) => difference && `byte ${difference.offset}` },
  { header: 'SIGNED BODY', value: ({ difference }) => difference && difference.before + difference.signed },
  { header: 'RECEIVED BODY', value: ({ difference }) => difference && difference.before + difference.received },
);

interface Given {
  headers: string;
  body: Buffer;
  receivedAt: Date | undefined;
}

export const verify = command({
  operations: ['endpoints.verifySignature', 'sources.verifySignature', 'incomingEvents.checkSignature'],
  summary: 'Say whether the signature of a request verifies, and if not, why. Exit 1 if it doesn’t.',
  details: `With \`--endpoint\`, \`--source\` or \`--incoming-event\`, the server checks it with the secrets there. Otherwise nothing leaves this machine: the secret is that of \`--secret-file\`, or ${FROM_WHERE}.`,
  args: {
    body: { description: 'the raw body as received: `@file`, `-` for standard input, or its text', isOptional: true },
  },
  options: {
    headers: texts(
      '-H, --headers <text|@file|->',
      'the headers as received: one as `name: value`, or lines or JSON of all (repeatable)',
    ),
    endpoint: text('--endpoint <id>', 'check a delivery to this endpoint, by its ID or uid'),
    source: text('--source <id>', 'check a request to this source, by its ID or name'),
    incomingEvent: text('--incoming-event <id>', 'check again what was received as this event'),
    secretFile: text('--secret-file <path>', 'read the secret from this file'),
    provider: choice(
      '--provider <provider>',
      'how the request is signed (default: what its headers show, or Standard Webhooks)',
      PROVIDERS,
    ),
    url: text('--url <url>', 'the URL that the provider was given, for HUBSPOT and SQUARE, which sign it'),
    signatureHeader: text('--signature-header <name>', 'header with the signature, for GENERIC_HMAC and TOKEN'),
    signatureEncoding: choice('--signature-encoding <encoding>', 'its encoding, for GENERIC_HMAC (default hex)', [
      'hex',
      'base64',
    ]),
    signaturePrefix: text('--signature-prefix <prefix>', 'text before it, for GENERIC_HMAC and TOKEN'),
    receivedAt: time('--received-at <time>', 'when the request was received (default: now)'),
  },
  examples: {
    'verify @body.json -H @headers.txt --endpoint 0197b6a0-…': 'Check a delivery with the secrets of its endpoint.',
    'verify @body.json -H @headers.txt --secret-file secret.txt': 'Check it without a server.',
    'verify @body.json -H @headers.txt --endpoint 0197b6a0-… --secret-file secret.txt':
      'Also say whether the secret of the receiver is that of the endpoint.',
    'verify --incoming-event 0197b6a0-…': 'Check an unverified event again after the secret was fixed.',
  },
  run: async (context, { args, options }) => {
    const { out } = context;
    const targets = [options.endpoint, options.source, options.incomingEvent].filter((id) => id !== undefined);
    if (targets.length > 1) throw usageError('Give --endpoint, --source or --incoming-event, not several.');
    const result =
      options.incomingEvent === undefined
        ? await checkRequest(context, await readRequest(context, args.body, options), options)
        : await checkAgain(context, args.body, options.incomingEvent, options.headers);
    if (out.isJson) out.value(result, '');
    else out.fields(result, FIELDS);
    if (!result.verified) {
      // Which of the two it is takes the event that was sent.
      const isUnsure = result.reason === 'no_match' && targets.length === 0;
      throw new CliError('The signature doesn’t verify.', result.reason, {
        reason: result.detail,
        ...(isUnsure && { next: 'To know which, let the server compare it: add --endpoint <id>.' }),
      });
    }
    out.hint(result.detail);
  },
});

async function checkAgain(context: Context, body: string | undefined, id: string, headers: string[]) {
  if (body === undefined && headers.length === 0) return await context.client.incomingEvents.checkSignature(id);
  throw usageError('Give --incoming-event alone: its headers and body are stored.');
}

async function readRequest(
  { terminal }: Context,
  body: string | undefined,
  { headers, receivedAt }: { headers: string[]; receivedAt: Date | undefined },
): Promise<Given> {
  const next = 'eds verify @body.json -H @headers.txt';
  if (body === undefined) throw usageError('Give the raw body of the request.', next);
  if (headers.length === 0) throw usageError('Give the headers of the request with -H.', next);
  if ([body, ...headers].filter((each) => each === '-').length > 1) {
    throw usageError('Standard input is either the body or the headers.', next);
  }
  const lines: string[] = [];
  for (const each of headers) lines.push((await readBytes(terminal, each, 'the headers')).toString());
  return { headers: lines.join('\n'), body: await readBytes(terminal, body, 'the body'), receivedAt };
}

interface Choices {
  endpoint: string | undefined;
  source: string | undefined;
  secretFile: string | undefined;
  provider: SignatureScheme | undefined;
  url: string | undefined;
  signatureHeader: string | undefined;
  signatureEncoding: 'hex' | 'base64' | undefined;
  signaturePrefix: string | undefined;
}

async function checkRequest(context: Context, given: Given, choices: Choices): Promise<SignatureCheck> {
  const { endpoint, source, secretFile } = choices;
  if (endpoint === undefined && source === undefined) return await checkOffline(context, given, choices);
  if (source !== undefined && secretFile !== undefined) throw usageError('Give --secret-file or --source, not both.');
  const { headers, receivedAt } = given;
  const body = {
    headers,
    bodyBase64: given.body.toString('base64'),
    ...(receivedAt && { receivedAt: receivedAt.toISOString() }),
  };
  const { client } = context;
  if (endpoint !== undefined) {
    const id = await endpointIdOf(context, endpoint);
    if (secretFile !== undefined) await compareSecret(context, id, secretFile);
    return await client.endpoints.verifySignature(id, body);
  }
  const { id } = await findByName(source ?? '', 'source', client.sources);
  return await client.sources.verifySignature(id, body);
}

/** Says whether the secret of a receiver is that of an endpoint. The secret stays on this machine. */
async function compareSecret({ client, out, terminal }: Context, endpointId: string, file: string): Promise<void> {
  const [given, { secret }] = [await readSecretFile(terminal, file), await client.endpoints.getSecret(endpointId)];
  const isSame = given.trim() === secret;
  if (isSame) out.note(`The secret in ${file} is the current one of the endpoint.`);
  else out.note(`The secret in ${file} is not the current one of the endpoint: eds endpoints secret ${endpointId}`);
}

const readSecretFile = async (terminal: Context['terminal'], file: string) =>
  (await readBytes(terminal, `@${file}`, 'the secret')).toString().replace(/\r?\n$/, '');

async function checkOffline(context: Context, given: Given, choices: Choices): Promise<SignatureCheck> {
  const { secretFile } = choices;
  const current =
    secretFile === undefined
      ? await readSecret(context, 'the signing secret')
      : await readSecretFile(context.terminal, secretFile);
  // Other commands start without cryptography.
  const { detectScheme, diagnoseSignature } = await import('@/lib/delivery/signature-diagnosis-policy');
  const { parseReceivedHeaders, readerOf } = await import('@/lib/delivery/received-headers-policy');
  const headers = parseReceivedHeaders(given.headers);
  const isGeneric = choices.signatureHeader !== undefined;
  const form: SignatureForm = {
    provider:
      choices.provider ?? (isGeneric ? 'GENERIC_HMAC' : (detectScheme(readerOf(headers)) ?? 'STANDARD_WEBHOOKS')),
    header: choices.signatureHeader ?? 'X-Signature',
    encoding: choices.signatureEncoding ?? 'hex',
    prefix: choices.signaturePrefix ?? '',
  };
  const { url = '' } = choices;
  return diagnoseSignature(form, { headers, body: given.body, at: given.receivedAt ?? new Date(), url }, { current });
}
