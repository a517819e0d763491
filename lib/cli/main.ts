import { setMaxListeners } from 'node:events';
import { CommanderError } from 'commander';
import { VERSION } from '@/lib/client/headers';
import { buildProgram } from './build-program';
import { type CliError, describeError, EXIT, type ExitCode, usageError } from './cli-error';
import { COMMANDS } from './commands';
import { answerShell } from './commands/completion';
import { Context } from './context';
import { Output } from './output/output';
import { exitAfterCriticalWork, type Stopped, stopForStream, stopOnInterrupt, untilStopped } from './stop';
import { processTerminal, type Terminal } from './terminal';

/** Runs a command line. @returns the exit code of the process */
export async function main(args: readonly string[]): Promise<ExitCode> {
  const controller = new AbortController();
  const { signal } = controller;
  // Each request in flight listens for the abort; `--concurrency` bounds them.
  setMaxListeners(0, signal);
  const terminal = processTerminal((fault) => controller.abort(stopForStream(fault)));
  if (args.includes('--no-color')) terminal.env.NO_COLOR = '1';
  stopOnInterrupt(controller);
  const ended = await untilStopped(runCommandLine(args, terminal, signal), signal);
  if (!signal.aborted) return ended ?? EXIT.failure;
  const { exitCode, fault } = signal.reason as Stopped;
  if (fault !== undefined) report(fault, terminal, args.includes('--json'));
  // What a stopped command leaves behind, such as a read of standard input, would keep the process alive.
  return await exitAfterCriticalWork(fault === undefined ? (ended ?? exitCode) : exitCode);
}

/** Runs a command line on a terminal. @returns null when the command was stopped before its end */
export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode | null> {
  let isJson = args.includes('--json');
  try {
    // Not a command of the program: what follows may look like its options.
    if (args[0] === '__complete') {
      answerShell(terminal, args.slice(1), COMMANDS);
      return EXIT.ok;
    }
    const program = buildProgram(
      COMMANDS,
      async (spec, globals, given) => {
        isJson = globals.json;
        const context = new Context(terminal, globals, signal);
        try {
          await spec.run(context, given);
        } finally {
          noteOtherVersion(context);
        }
      },
      { out: (text) => terminal.stdout.write(text), err: (text) => terminal.stderr.write(text) },
      args,
    );
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    return signal.aborted ? null : report(error, terminal, isJson);
  } finally {
    await terminal.stdout.flush();
  }
}

function report(error: unknown, terminal: Terminal, isJson: boolean): ExitCode {
  // Help and version are no errors.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  const fields = describeError(error instanceof CommanderError ? usageErrorOf(error) : error);
  new Output(terminal, isJson).error(fields);
  return fields.exitCode;
}

function usageErrorOf({ message, code }: CommanderError): CliError {
  if (code === 'commander.help') {
    return usageError('Name a command.');
  }
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const next = 'Add --help to see how to use the command.';
  return usageError(`${first.charAt(0).toUpperCase()}${first.slice(1)}`, next, rest.join('\n').trim() || undefined);
}

/** Says at a terminal that the server has another version, and how to get the program that fits it. */
function noteOtherVersion({ serverVersion, terminal, out, url, signal }: Context): void {
  if (serverVersion === null || serverVersion === VERSION || !terminal.stderr.isTTY || signal.aborted) return;
  out.note(`The server runs version ${serverVersion}, but this is eds ${VERSION}. Install the matching version:`);
  out.note(`  npm install --global ${url}/downloads/eds.tgz`);
}
