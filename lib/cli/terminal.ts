import os from 'node:os';

/** A stream as commands see it. */
export interface TextStream {
  write(text: string | Uint8Array): void;
  isTTY: boolean;
  /** Characters in a row; 80 where it is not known. */
  columns: number;
}

/** What a command knows of the machine that it runs on. */
export interface Terminal {
  stdout: TextStream;
  stderr: TextStream;
  stdin: NodeJS.ReadStream;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Shown to the person who approves a sign-in. */
  hostName: string;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    stdout: textStream(process.stdout),
    stderr: textStream(process.stderr),
    stdin: process.stdin,
    env: process.env,
    platform: process.platform,
    hostName: os.hostname(),
  };
}

function textStream(stream: NodeJS.WriteStream): TextStream {
  // `eds … | head` closes the pipe early. That is no fault.
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return {
    write: (text) => void stream.write(text),
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return stream.columns ?? 80;
    },
  };
}
