import type { SignatureForm, SignatureScheme } from '@/lib/delivery/signature-schemes-policy';
import { type Source, type SourceProvider, templateFault, type UpdateSourceBody } from '@/lib/incoming/schema';
import { fieldError } from '@/lib/platform/errors';
import { isCredentialName } from '@/lib/platform/net/credential-names';

const HMAC_DEFAULTS = {
  signatureHeader: 'X-Signature',
  signatureEncoding: 'hex',
  signaturePrefix: '',
  signatureKey: '',
  signatureAlgorithm: 'SHA256',
  signedContent: '{body}',
  timestampHeader: '',
  timestampKey: '',
  idHeader: '',
  secretEncoding: 'text',
} as const;
const TOKEN_DEFAULTS = { signatureHeader: 'X-Webhook-Token', signaturePrefix: '', idHeader: '' } as const;

type Name = keyof typeof HMAC_DEFAULTS;
const NAMES = Object.keys(HMAC_DEFAULTS) as Name[];
/** As they are stored: null where the provider fixes one, or the source is older than the field. */
export type SignatureFields = { [N in Name]: string | null };
type GivenFields = Pick<UpdateSourceBody, Name>;

const defaultsOf = (provider: SourceProvider): Partial<Record<Name, string>> =>
  provider === 'GENERIC_HMAC' ? HMAC_DEFAULTS : provider === 'TOKEN' ? TOKEN_DEFAULTS : {};

/**
 * Returns where a new source finds its signature. The user chooses that only where the provider does not fix it.
 * @throws AppError validation_failed when the provider fixes a given field, or fields contradict each other
 */
export function signatureFields(provider: SourceProvider, given: GivenFields): Partial<SignatureFields> {
  refuseFixedFields(provider, given);
  const fields = { ...defaultsOf(provider), ...present(given) };
  refuseContradiction(provider, fields);
  return fields;
}

/**
 * Checks the changed fields of a source together with the others.
 * @throws AppError validation_failed when the provider fixes one, or they contradict each other
 */
export function checkChangedFields(source: SignatureFields & { provider: SourceProvider }, given: GivenFields): void {
  const { provider } = source;
  refuseFixedFields(provider, given);
  refuseContradiction(provider, { ...defaultsOf(provider), ...present(source), ...present(given) });
}

function present(fields: Partial<Record<Name, string | null | undefined>>): Partial<Record<Name, string>> {
  return Object.fromEntries(NAMES.flatMap((name) => (fields[name] == null ? [] : [[name, fields[name]]])));
}

function refuseFixedFields(provider: SourceProvider, given: GivenFields): void {
  const own = defaultsOf(provider);
  const fixed = NAMES.find((name) => given[name] !== undefined && own[name] === undefined);
  if (fixed === undefined) return;
  const isShared = fixed in TOKEN_DEFAULTS;
  throw fieldError(fixed, `is only for the provider GENERIC_HMAC${isShared ? ' or TOKEN' : ''}`);
}

function refuseContradiction(provider: SourceProvider, fields: Partial<Record<Name, string>>): void {
  const id = fields.idHeader?.toLowerCase() ?? '';
  // The id of an event is shown to whoever may read, and two requests with the same one are the same event.
  if (id !== '' && (id === fields.signatureHeader?.toLowerCase() || isCredentialName(id))) {
    throw fieldError('idHeader', 'must not be a header with a signature or a credential');
  }
  if (provider !== 'GENERIC_HMAC') return;
  const { signedContent = '', timestampHeader, timestampKey, idHeader, signatureKey } = fields;
  const fault = templateFault(signedContent);
  if (fault !== undefined) throw fieldError('signedContent', fault);
  const isTimed = signedContent.includes('{timestamp}');
  const hasTime = Boolean(timestampHeader) || Boolean(timestampKey);
  if (isTimed && !hasTime) {
    throw fieldError('timestampHeader', 'is required: signedContent has {timestamp}. Or set timestampKey');
  }
  if (!isTimed && hasTime) {
    throw fieldError('signedContent', 'must contain {timestamp}: a time that is not signed proves nothing');
  }
  if (signedContent.includes('{id}') && !idHeader) {
    throw fieldError('idHeader', 'is required: signedContent has {id}');
  }
  if (timestampKey && !timestampHeader && !signatureKey) {
    throw fieldError('signatureKey', 'is required: timestampKey names an item of the list that has the signature');
  }
}

/** Returns how the requests of a source are signed. */
export function formOfSource(source: SignatureFields, provider: SignatureScheme): SignatureForm {
  const of = { ...HMAC_DEFAULTS, ...(provider === 'TOKEN' ? TOKEN_DEFAULTS : {}), ...present(source) };
  return {
    provider,
    header: source.signatureHeader ?? '',
    encoding: of.signatureEncoding as SignatureForm['encoding'],
    prefix: of.signaturePrefix,
    key: of.signatureKey,
    algorithm: of.signatureAlgorithm as NonNullable<SignatureForm['algorithm']>,
    content: of.signedContent,
    timestampHeader: of.timestampHeader,
    timestampKey: of.timestampKey,
    idHeader: of.idHeader,
    secretEncoding: of.secretEncoding as NonNullable<SignatureForm['secretEncoding']>,
  };
}

/** The fields of a source in the API. */
export type ShownFields = Pick<Source, Name>;
