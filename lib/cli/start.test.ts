import { describe, expect, it } from 'vitest';
import { buildProgram } from '@/lib/cli/build-program';
import { COMMANDS } from '@/lib/cli/commands';
import { useEds } from '@/tests/cli/eds';

const eds = useEds(() => 'http://127.0.0.1:9');
const REPORT = 'process.on("exit", () => console.error(process.moduleLoadList.join("\\n")))';

describe('the start of eds', () => {
  it('loads neither TLS nor WebSockets nor cryptography for a command that needs none', async () => {
    const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(REPORT)}"` };
    const { code, stdout, stderr } = await eds.start(['--version'], { env }).ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
    const loaded = stderr.split('\n');
    expect(loaded).toContain('NativeModule path');
    for (const name of ['crypto', 'tls', 'http', 'https', 'zlib']) expect(loaded).not.toContain(`NativeModule ${name}`);
  });

  it('builds only the commands that the arguments name, and all of them for help', () => {
    const sinks = { out: () => undefined, err: () => undefined };
    const groups = (...args: string[]) =>
      buildProgram(COMMANDS, () => undefined, sinks, args)
        .commands.filter(({ commands }) => commands.length > 0)
        .map((command) => command.name());
    expect(groups('--json', 'projects', 'list')).toEqual(['projects']);
    expect(groups('login')).toEqual([]);
    for (const args of [[], ['--help'], ['help', 'keys'], ['nothing']]) {
      expect(groups(...args)).toEqual(expect.arrayContaining(['projects', 'keys', 'admin']));
    }
  });
});
