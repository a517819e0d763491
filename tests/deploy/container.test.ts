import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { readContainerArguments } from '@/scripts/container-arguments.mjs';

it.each([
  ['web', 'web', []],
  ['retention main --dry-run', 'retention', ['main', '--dry-run']],
  ['run retention', 'retention', []],
  ['run -s retention -- main --dry-run', 'retention', ['main', '--dry-run']],
  ['run-script --silent worker', 'worker', []],
])('the image runs "%s"', (line, part, args) => {
  expect(readContainerArguments(line.split(' '))).toEqual({ part, args });
});

it.each(['demo', 'run test', 'run'])('the image refuses "%s" in one line', (line) => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/container.mjs', ...line.split(' ')], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Unknown part "\w*"\. Choose one of: web, worker, retention, migrate, health\.\n$/);
});

it('the image has each file that its entry imports, under each name that a command may use', () => {
  const dockerfile = readFileSync('deploy/Dockerfile', 'utf8');
  for (const name of ['container.mjs', 'container-arguments.mjs', 'start.mjs']) {
    expect(dockerfile).toMatch(new RegExp(`^COPY .* scripts/${name.replace('.', '\\.')}$`, 'm'));
  }
  expect(dockerfile).toContain('/usr/local/bin/npm');
});

it('the Dockerfile has no fault that a linter finds', () => {
  expect(validate(readFileSync('deploy/Dockerfile', 'utf8')).map(({ message }) => message)).toEqual([]);
});
