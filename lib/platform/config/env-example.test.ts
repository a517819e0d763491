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
