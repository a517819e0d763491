import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { signingKeys } from '@/lib/auth/access-token';
import { setTestConfig } from '@/tests/setup/variables';

type Fields = Record<string, unknown>;

const encode = (fields: Fields) => Buffer.from(JSON.stringify(fields)).toString('base64url');

/** Forges access tokens from a valid one. Uses the deployment's key only for validly signed variants. */
export class TokenForger {
  readonly header: Fields;
  readonly claims: Fields;
  private readonly own: KeyObject;
  private readonly publicKey: KeyObject;

  constructor(
    private readonly honest: string,
    authSecret: string,
  ) {
    setTestConfig({ AUTH_SECRET: authSecret });
    const key = signingKeys()[0];
    if (key === undefined) throw new Error('no signing key');
    this.own = key.privateKey;
    this.publicKey = key.publicKey;
    this.header = { ...decodeProtectedHeader(honest) };
    this.claims = { ...decodeJwt(honest) };
  }

  /** A token signed with the deployment's key. */
  signed(claims: Fields = {}, header: Fields = {}): string {
    return this.assemble(claims, header, (input) => sign(null, Buffer.from(input), this.own));
  }

  /** Other claims with the original signature. */
  edited(claims: Fields): string {
    const [header, , signature] = this.honest.split('.');
    return [header, encode({ ...this.claims, ...claims }), signature].join('.');
  }

  unsigned(alg: string): string {
    return this.assemble({}, { alg }, () => Buffer.alloc(0));
  }

  /** HS256 tokens whose secret is the public key, in several encodings. */
  symmetric(): string[] {
    const jwk = this.publicKey.export({ format: 'jwk' });
    const secrets = [
      String(this.publicKey.export({ format: 'pem', type: 'spki' })),
      this.publicKey.export({ format: 'der', type: 'spki' }),
      JSON.stringify(jwk),
      Buffer.from(String(jwk.x), 'base64url'),
      '',
    ];
    return secrets.map((secret) =>
      this.assemble({}, { alg: 'HS256' }, (input) => createHmac('sha256', secret).update(input).digest()),
    );
  }

  /** A token signed with the attacker's key, which the header can contain. */
  foreign(header: (jwk: Fields) => Fields = () => ({})): string {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const brought = header({ ...publicKey.export({ format: 'jwk' }) });
    return this.assemble({}, brought, (input) => sign(null, Buffer.from(input), privateKey));
  }

  private assemble(claims: Fields, header: Fields, signer: (input: string) => Buffer): string {
    const input = `${encode({ ...this.header, ...header })}.${encode({ ...this.claims, ...claims })}`;
    return `${input}.${signer(input).toString('base64url')}`;
  }
}
