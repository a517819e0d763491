import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Product } from '@/e2e/support/launch-product';

/** The account that the demo prints. */
export interface DemoAccount {
  email: string;
  password: string;
}

/** Runs `npm run demo` until it prints its account. @returns the account, and a function that ends the demo */
export async function fillWithDemo({
  url,
  databaseUrl,
  dataDir,
}: Product): Promise<{ account: DemoAccount; stop: () => void }> {
  const demo = spawn(process.execPath, ['scripts/demo.mjs', url], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  const account = new Promise<DemoAccount>((resolve) => {
    demo.stdout.on('data', (chunk) => {
      printed += String(chunk);
      const [, email = '', password = ''] = /Email\s+(\S+)\s+Password\s+(\S+)\n/.exec(printed) ?? [];
      if (password !== '') resolve({ email, password });
    });
  });
  const ended = once(demo, 'exit').then(([code]) => {
    if (!/Password\s+\S+\n/.test(printed)) throw new Error(`npm run demo ended with ${code}:\n${printed}`);
  });
  await Promise.race([account, ended]);
  return { account: await account, stop: () => demo.kill() };
}
