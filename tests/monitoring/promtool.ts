import { spawnSync } from 'node:child_process';

/** Runs promtool; returns null when it is not installed. */
export function runPromtool(args: string[], input = ''): { isOk: boolean; output: string } | null {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  if (error !== undefined) return null;
  return { isOk: status === 0, output: stdout + stderr };
}
