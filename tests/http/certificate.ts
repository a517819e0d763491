import { generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes, sign } from 'node:crypto';

const tag = (type: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([type, ...size]), content]);
};
const sequence = (...parts: Uint8Array[]) => tag(0x30, ...parts);
const ECDSA_WITH_SHA256 = sequence(tag(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = tag(0x06, Buffer.from('550403', 'hex'));
const SUBJECT_ALT_NAME = tag(0x06, Buffer.from('551d11', 'hex'));
const BASIC_CONSTRAINTS = tag(0x06, Buffer.from('551d13', 'hex'));
const TRUE = tag(0x01, Buffer.from([0xff]));
const nameOf = (text: string) => sequence(tag(0x31, sequence(COMMON_NAME, tag(0x0c, Buffer.from(text)))));

/** ASN.1 GeneralizedTime. */
const time = (at: Date) => tag(0x18, Buffer.from(at.toISOString().replace(/[-:T]|\.\d+/g, '')));

/** A private key and its certificate, in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** An authority that signs certificates. */
export interface Authority extends Certificate {
  name: string;
}

/** Creates an authority. */
export function makeAuthority(name: string, validUntil: Date): Authority {
  return { name, ...issue(makeEcKeys(), name, validUntil, null, [BASIC_CONSTRAINTS, TRUE, tag(0x04, sequence(TRUE))]) };
}

/**
 * Creates a certificate for a host name, so that tests need neither openssl nor a key in the repository.
 *
 * @param authority signs it; by default it signs itself
 * @param keys its keys, which may be RSA when an authority signs
 */
export function makeCertificate(
  hostname: string,
  validUntil: Date,
  authority: Authority | null = null,
  keys = makeEcKeys(),
): Certificate {
  const alternativeNames = sequence(tag(0x82, Buffer.from(hostname)));
  return issue(keys, hostname, validUntil, authority, [SUBJECT_ALT_NAME, tag(0x04, alternativeNames)]);
}

const makeEcKeys = (): KeyPairKeyObjectResult => generateKeyPairSync('ec', { namedCurve: 'P-256' });

function issue(
  { privateKey, publicKey }: KeyPairKeyObjectResult,
  name: string,
  validUntil: Date,
  authority: Authority | null,
  extension: Buffer[],
): Certificate {
  const body = sequence(
    tag(0xa0, tag(0x02, Buffer.from([2]))),
    tag(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    nameOf(authority?.name ?? name),
    sequence(time(new Date('2020-01-01')), time(validUntil)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tag(0xa3, sequence(sequence(...extension))),
  );
  const signature = tag(0x03, Buffer.from([0]), sign('sha256', body, authority?.key ?? privateKey));
  const der = sequence(body, ECDSA_WITH_SHA256, signature);
  // No empty line at the end, which OpenSSL refuses.
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
