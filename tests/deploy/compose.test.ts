import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentOf, type Part, REQUIRED_OF } from '@/lib/platform/config/parts';
import { VARIABLES } from '@/lib/platform/config/variables';

interface Service {
  image: string;
  command?: string[];
  environment: Record<string, string | null>;
  read_only?: boolean;
  cap_drop?: string[];
  depends_on?: Record<string, { condition: string }>;
}

const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
};
const PARTS = Object.keys(REQUIRED_OF) as Part[];
/** Names of the file itself, not of the service. */
const OF_COMPOSE = new Set(['POSTGRES_PASSWORD', 'POSTGRES_IMAGE', 'IMAGE', 'WEB_ADDRESS', 'WEB_PORT']);
const ofCompose = (name: string) => OF_COMPOSE.has(name) || name.startsWith('MAILPIT_');

describe.each(PARTS)('the service %s of compose.yaml', (part) => {
  const service = services[part] as Service;

  it('gets every variable, without the secrets that it does not use', () => {
    const all = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, name]));
    const expected = Object.keys(environmentOf(part, all as never));
    const given = Object.keys(service.environment).filter((name) => name in VARIABLES);
    // Only web asks whether the worker sends emails.
    const optional = ['MAIL_ENABLED', ...(part === 'migrate' || part === 'retention' ? ['ENCRYPTION_KEY'] : [])];
    const without = (names: string[]) => names.filter((name) => !optional.includes(name)).sort();
    expect(without(given)).toEqual(without(expected));
  });

  it('runs its part of the image, without a writable root file system or capabilities', () => {
    expect(service).toMatchObject({ command: [part], read_only: true, cap_drop: ['ALL'] });
  });

  it('waits for the migration', () => {
    const condition = part === 'migrate' ? { postgres: { condition: 'service_healthy' } } : undefined;
    expect(service.depends_on).toEqual(condition ?? { migrate: { condition: 'service_completed_successfully' } });
  });
});

describe('compose.yaml', () => {
  it('follows the schema of the Compose specification', () => {
    const schema = JSON.parse(readFileSync('tests/deploy/compose-schema.json', 'utf8')) as object;
    const isValid = new Ajv2020({ strict: false, formats: { duration: true, ports: true, expose: true } }).compile(
      schema,
    );
    const file = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as { services: { web: object } };
    isValid(file);
    expect(isValid.errors).toBeNull();
  });

  it('takes each value from the variable of the same name, so that .env can set it', () => {
    for (const part of PARTS) {
      for (const [name, value] of Object.entries((services[part] as Service).environment)) {
        const names = [...(value ?? '').matchAll(/\$\{(\w+)/g)].map(([, each = '']) => each);
        expect(names.filter((each) => each !== name && !ofCompose(each))).toEqual([]);
      }
    }
  });

  it('requires the secrets that have no default', () => {
    const text = readFileSync('deploy/compose.yaml', 'utf8');
    for (const name of ['POSTGRES_PASSWORD', 'AUTH_SECRET', 'ENCRYPTION_KEY']) expect(text).toContain(`\${${name}:?`);
    const example = readFileSync('deploy/compose.env.example', 'utf8');
    for (const name of ['POSTGRES_PASSWORD', 'AUTH_SECRET', 'ENCRYPTION_KEY']) {
      expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
  });

  it('names a version of every image that is not built', () => {
    for (const { image } of Object.values(services)) expect(image).toMatch(/:[\w.-]+\}?$/);
  });
});
