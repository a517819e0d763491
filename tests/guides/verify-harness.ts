import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A request as a receiver sees it. */
export interface SignedRequest {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

/** How to run the function of a section of the guide: it reads a request as JSON and prints true or false. */
interface Runtime {
  /** The command that shows whether the language is here. */
  probe: [command: string, ...args: string[]];
  /** The files of a program around the code of the guide. */
  files(code: string): Record<string, string>;
  build?: [command: string, ...args: string[]];
  run: [command: string, ...args: string[]];
}

export const RUNTIMES: Record<string, Runtime> = {
  Node: {
    probe: [process.execPath, '--version'],
    files: (code) => ({
      'verify.mjs': code,
      'main.mjs': `import fs from 'node:fs'; import { verify } from './verify.mjs';
        const { secret, headers, body } = JSON.parse(fs.readFileSync(0, 'utf8'));
        console.log(verify(secret, headers, Buffer.from(body)));`,
    }),
    run: [process.execPath, 'main.mjs'],
  },
  Python: {
    probe: ['python3', '--version'],
    files: (code) => ({
      'main.py': `${code}\nimport json, sys\nr = json.load(sys.stdin)\nprint(str(verify(r["secret"], r["headers"], r["body"].encode())).lower())\n`,
    }),
    run: ['python3', 'main.py'],
  },
  Go: {
    probe: ['go', 'version'],
    files: (code) => ({
      'go.mod': 'module example.com/receiver\n\ngo 1.19\n',
      'webhook/verify.go': code,
      'main.go': `package main
        import ("encoding/json"; "fmt"; "net/http"; "os"; "example.com/receiver/webhook")
        func main() {
          var r struct { Secret string; Headers map[string]string; Body string }
          json.NewDecoder(os.Stdin).Decode(&r)
          headers := http.Header{}
          for name, value := range r.Headers { headers.Set(name, value) }
          fmt.Println(webhook.Verify(r.Secret, headers, []byte(r.Body)))
        }`,
    }),
    build: ['go', 'build', '-o', 'receiver', '.'],
    run: ['./receiver'],
  },
  PHP: {
    probe: ['php', '--version'],
    files: (code) => ({
      'main.php': `${code}\n$r = json_decode(file_get_contents('php://stdin'), true);\necho json_encode(verify($r['secret'], $r['headers'], $r['body']));`,
    }),
    run: ['php', 'main.php'],
  },
  Ruby: {
    probe: ['ruby', '--version'],
    files: (code) => ({
      'main.rb': `${code}\nrequire "json"\nr = JSON.parse(STDIN.read)\nputs verify(r["secret"], r["headers"], r["body"])\n`,
    }),
    run: ['ruby', 'main.rb'],
  },
  Java: {
    probe: ['javac', '-version'],
    files: (code) => ({
      'WebhookVerifier.java': code,
      // Lines of name and value, since the standard library has no JSON.
      'Main.java': `import java.nio.charset.StandardCharsets; import java.util.*;
        public class Main { public static void main(String[] a) throws Exception {
          List<String> lines = Arrays.asList(new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\\n"));
          Map<String, String> headers = new HashMap<>();
          for (String line : lines.subList(2, lines.size())) headers.put(line.split(": ")[0], line.split(": ", 2)[1]);
          System.out.println(WebhookVerifier.verify(lines.get(0), headers, lines.get(1).getBytes(StandardCharsets.UTF_8)));
        } }`,
    }),
    build: ['javac', 'Main.java', 'WebhookVerifier.java'],
    run: ['java', '-Xshare:auto', '-XX:TieredStopAtLevel=1', 'Main'],
  },
};

/** Whether the language is on this machine. */
export function hasRuntime(language: string): boolean {
  const [command = '', ...args] = RUNTIMES[language]?.probe ?? [];
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Makes a program of the code of a section. @returns a function that says whether the program accepts a request */
export function makeReceiver(language: string, code: string): (request: SignedRequest) => boolean {
  const runtime = RUNTIMES[language] as Runtime;
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), `verify-${language}-`));
  for (const [name, content] of Object.entries(runtime.files(code))) {
    fs.mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    fs.writeFileSync(path.join(cwd, name), content);
  }
  const env = { ...process.env, GOCACHE: path.join(cwd, '.cache'), GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
  if (runtime.build !== undefined) execFileSync(runtime.build[0], runtime.build.slice(1), { cwd, env });
  return (request) => {
    const { secret, headers, body } = request;
    const lines = [secret, body, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
    const input = language === 'Java' ? lines : JSON.stringify(request);
    return JSON.parse(execFileSync(runtime.run[0], runtime.run.slice(1), { cwd, env, input, encoding: 'utf8' }));
  };
}
