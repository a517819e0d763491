import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { VARIABLES } from './variables';

const HEAD = `# Every variable of the service with its default. Copy what you change to a file named .env, or set it in the environment.
# An empty value means the default, unless the line says otherwise.
`;

it('.env.example lists every variable with its default and purpose (updated by: npx vitest run -u)', async () => {
  const blocks = Object.entries(VARIABLES).map(
    ([name, { about, default: byDefault }]) => `# ${about}\n#${name}=${quote(byDefault)}\n`,
  );
  await expect([HEAD, ...blocks].join('\n')).toMatchFileSnapshot('../../../.env.example');
});

function quote(text: string): string {
  return /[\s#*]/.test(text) ? `"${text}"` : text;
}

const FOLDERS = ['app', 'components', 'lib', 'scripts'];
const isSource = (file: string) =>
  /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.ts$|prisma\/generated|scripts\/bench/.test(file);

/** The code that may read a variable, without the table that declares it and texts that only mention it. */
function readSources(): string {
  const files = FOLDERS.flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.posix.join(folder, file)),
  );
  const texts = files
    .filter((file) => isSource(file) && file !== 'lib/platform/config/variables.ts')
    .map((file) => fs.readFileSync(file, 'utf8'));
  return texts.join('\n').replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');
}

it('every variable is read', () => {
  const sources = readSources();
  const unread = Object.keys(VARIABLES).filter((name) => !new RegExp(`\\b${name}\\b`).test(sources));
  expect(unread).toEqual([]);
});
