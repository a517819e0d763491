import { spawn } from 'node:child_process';

/** Runs a Node program that prints to this terminal. A signal to this process ends it too. Resolves with its exit code. */
export function runNode(args: string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
    const end = (signal: NodeJS.Signals) => child.kill(signal);
    process.on('SIGTERM', end).on('SIGINT', end);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGTERM', end).off('SIGINT', end);
      if (code === null) process.exit(130);
      resolve(code);
    });
  });
}
