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

  it('builds only the commands that the arguments name, and shows the help of all of them', () => {
    const build = (args?: string[]) => {
      const help: string[] = [];
      const sinks = { out: (text: string) => void help.push(text), err: () => undefined };
      const program = buildProgram(COMMANDS, () => undefined, sinks, args);
      program.outputHelp();
      const built = program.commands.filter(({ commands }) => commands.length > 0).map((command) => command.name());
      return { built, help: help.join('') };
    };
    expect(build(['--json', 'projects', 'list']).built).toEqual(['projects']);
    expect(build(['help', 'keys']).built).toEqual(['keys']);
    expect(build(['login']).built).toEqual([]);
    for (const args of [[], ['--help'], ['nothing']]) expect(build(args)).toEqual({ built: [], help: build().help });
  });
});
