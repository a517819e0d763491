import { ApiError } from '@/components/auth-session/api-error';
import { metadataText, parseMetadata } from '@/components/form/metadata-field';
import type { EndpointSignature } from '@/lib/delivery/endpoint-options-policy';
import type { Endpoint } from '@/lib/delivery/schema';
import type { OptionsChange } from './use-endpoints';

/** Stands for a value that the person cannot see. */
const REDACTED = '[redacted]';

/** Says what a secret that a person chooses may be. */
export function ownSecretHint(profile: EndpointSignature['profile']): string {
  const form =
    profile === 'CUSTOM' ? '16 to 256 characters, or whsec_ and base64' : 'whsec_ and base64 of 24 to 64 bytes';
  return `Leave blank to generate one. Enter one only if the receiver knows it already: ${form}.`;
}

/** The form fields of a signature. All but the profile are those of a custom one. */
export interface SignatureValues {
  profile: EndpointSignature['profile'];
  header: string;
  content: string;
  algorithm: 'SHA256' | 'SHA512';
  encoding: 'HEX' | 'BASE64';
  value: string;
}

/** The form fields of the options of an endpoint. */
export interface OptionValues extends SignatureValues {
  uid: string;
  /** A line of `name: value` for each; empty if their values cannot be shown. */
  headers: string;
  bodyFormat: Endpoint['bodyFormat'];
  /** How many attempts start in how many seconds; both empty for no limit. */
  requests: string;
  seconds: string;
  /** JSON; empty for none. */
  metadata: string;
  receivesCustomerEvents: boolean;
}

const CUSTOM: Omit<SignatureValues, 'profile'> = {
  header: '',
  content: '{timestamp}.{body}',
  algorithm: 'SHA256',
  encoding: 'HEX',
  value: 't={timestamp},v1={signature}',
};

export const STANDARD_SIGNATURE: SignatureValues = { profile: 'STANDARD', ...CUSTOM };

/** Whether an endpoint has an option that is not the usual one. Its filter counts. */
export function hasOptions(endpoint: Endpoint): boolean {
  const { uid, headers, signature, bodyFormat, metadata, filter, rateLimit, receivesCustomerEvents } = endpoint;
  const hasMembers = Object.keys(headers).length + Object.keys(metadata).length > 0;
  const isOther = signature.profile !== 'STANDARD' || bodyFormat === 'DATA' || receivesCustomerEvents;
  return hasMembers || isOther || [uid, filter, rateLimit].some((value) => value !== null);
}

/** Whether an endpoint has headers whose values cannot be shown. */
export const hasHiddenHeaders = ({ headers }: Pick<Endpoint, 'headers'>) => Object.values(headers).includes(REDACTED);

/** Returns what the form shows at first. */
export function optionValuesOf(endpoint: Endpoint): OptionValues {
  const { uid, headers, signature, bodyFormat, metadata, rateLimit, receivesCustomerEvents } = endpoint;
  return {
    uid: uid ?? '',
    headers: hasHiddenHeaders(endpoint) ? '' : headerLinesOf(headers),
    bodyFormat,
    requests: rateLimit === null ? '' : String(rateLimit.requests),
    seconds: rateLimit === null ? '' : String(rateLimit.seconds),
    metadata: metadataText(metadata),
    receivesCustomerEvents,
    ...STANDARD_SIGNATURE,
    ...signature,
  };
}

/**
 * Returns the options that the form changes. Headers whose values cannot be shown are only replaced.
 * @param before what the form showed at first: the endpoint may have changed since
 */
export function optionsChangeOf(values: OptionValues, before: OptionValues): OptionsChange {
  const [from, to] = [signatureOf(before), signatureOf(values)];
  const hasOtherLimit = values.requests.trim() !== before.requests || values.seconds.trim() !== before.seconds;
  return {
    ...(values.uid.trim() === before.uid ? {} : { uid: values.uid.trim() || null }),
    ...(values.headers.trim() === before.headers ? {} : { headers: parseHeaderLines(values.headers) ?? {} }),
    ...(values.bodyFormat === before.bodyFormat ? {} : { bodyFormat: values.bodyFormat }),
    ...(hasOtherLimit ? { rateLimit: rateLimitOf(values) } : {}),
    ...(values.metadata.trim() === before.metadata ? {} : { metadata: parseMetadata(values.metadata) ?? {} }),
    ...(values.receivesCustomerEvents === before.receivesCustomerEvents
      ? {}
      : { receivesCustomerEvents: values.receivesCustomerEvents }),
    ...(JSON.stringify(from) === JSON.stringify(to) ? {} : { signature: to }),
  };
}

/** Returns the signature that form fields describe. */
export function signatureOf({ profile, header, content, algorithm, encoding, value }: SignatureValues) {
  const signature: EndpointSignature =
    profile === 'CUSTOM'
      ? { profile, header: header.trim(), content, algorithm, encoding, value: value.trim() }
      : { profile };
  return signature;
}

/** Returns the limit that two numbers are; null for none. The API refuses half of one. */
function rateLimitOf({ requests, seconds }: Pick<OptionValues, 'requests' | 'seconds'>): Endpoint['rateLimit'] {
  if (requests.trim() === '' && seconds.trim() === '') return null;
  return { requests: Number(requests), seconds: Number(seconds) };
}

/** Describes a signature: "Standard Webhooks, also as X-Acme-Signature". */
export function describeSignature(signature: EndpointSignature): string {
  if (signature.profile === 'STANDARD') return 'Standard Webhooks';
  return `Standard Webhooks, also as ${signature.profile === 'SVIX' ? 'Svix' : signature.header}`;
}

const headerLinesOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Parses lines of `name: value`; null when a line is none, or a name is repeated. */
export function parseHeaderLines(text: string): Record<string, string> | null {
  return headerFault(text) === undefined
    ? Object.fromEntries(headerPairs(text).flatMap(({ pair }) => [pair ?? []]))
    : null;
}

/** Says which line is not a header, or repeats one; undefined when all are. */
export function headerFault(text: string): string | undefined {
  const names = new Set<string>();
  for (const { line, number, pair } of headerPairs(text)) {
    if (pair === undefined) {
      return `Line ${number}, “${line.trim()}”, is not a header such as X-Api-Version: 2026-01.`;
    }
    if (names.has(pair[0])) return `Line ${number} repeats the header ${pair[0]}.`;
    names.add(pair[0]);
  }
  return undefined;
}

function headerPairs(text: string) {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const pair = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line)?.slice(1) as [string, string] | undefined;
    return [{ line, number: index + 1, pair }];
  });
}

/** The path of an error of one header, or of one member of metadata. */
const MEMBER = /^(headers|metadata)\.(.+)$/;

/** Runs a request, whose errors then name form fields: `header` for `signature.header`, and say which of the headers it is. */
export async function namingFields<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const errors = error.errors.map(({ path, message }) => {
      const [, field, name] = MEMBER.exec(path) ?? [];
      if (field !== undefined) return { path: field, message: `${name} ${message}` };
      return { path: path.replace(/^(?:signature|rateLimit)\./, ''), message };
    });
    throw new ApiError({ ...error, errors });
  }
}
