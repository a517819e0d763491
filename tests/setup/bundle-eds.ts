import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { TestProject } from 'vitest/node';
import { EDS_OPTIONS } from '@/scripts/start/bundle.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of `eds`, bundled as users get it. */
    edsBundle: string;
  }
}

/** Bundles `eds` once for the tests of a run. Other users may read the folder. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'eds-bundle-'));
  chmodSync(folder, 0o755);
  const bundle = path.join(folder, 'eds.mjs');
  await build({ ...EDS_OPTIONS, entryPoints: ['scripts/eds.ts'], outfile: bundle });
  project.provide('edsBundle', bundle);
  return () => rmSync(folder, { recursive: true, force: true });
}
