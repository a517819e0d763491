import { describe, expect, it } from 'vitest';
import { browserCommand, openBrowser } from './open-browser';

const URL = 'https://events.example.com/device?userCode=BCDF-GHJK';
const stream = { isTTY: true, columns: 80, write: () => {}, flush: async () => {} };
const on = (platform: NodeJS.Platform, env: Record<string, string> = {}, isTTY = true) =>
  browserCommand({ platform, env: { NODE_ENV: 'test', ...env }, stderr: { ...stream, isTTY } }, URL);

describe('the command that opens a URL', () => {
  it('is the one of the system, by its full path where the current folder would be searched', () => {
    expect(on('darwin')).toEqual(['/usr/bin/open', URL]);
    const rundll = ['url.dll,FileProtocolHandler', URL];
    expect(on('win32')).toEqual(['C:\\Windows\\System32\\rundll32.exe', ...rundll]);
    expect(on('win32', { SystemRoot: 'D:\\Win' })).toEqual(['D:\\Win\\System32\\rundll32.exe', ...rundll]);
    expect(on('linux', { DISPLAY: ':0' })).toEqual(['xdg-open', URL]);
  });

  it('is none where nobody would see a browser', () => {
    expect(on('linux')).toBeNull();
    expect(on('linux', { DISPLAY: ':0' }, false)).toBeNull();
    expect(on('darwin', { SSH_CONNECTION: 'x' })).toBeNull();
    expect(on('darwin', { CI: '1' })).toBeNull();
  });

  it('is BROWSER with its arguments; %s in it is the URL', () => {
    expect(on('linux', { BROWSER: 'firefox' }, false)).toEqual(['firefox', URL]);
    expect(on('linux', { BROWSER: 'firefox --private-window' })).toEqual(['firefox', '--private-window', URL]);
    expect(on('linux', { BROWSER: 'open-tab %s --now' })).toEqual(['open-tab', URL, '--now']);
    expect(on('linux', { BROWSER: process.execPath })).toEqual([process.execPath, URL]);
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    '-e',
    'https://a.example/"&calc.exe"',
    'https://a.example/$(id)',
    'https://a.example/`id`',
    "https://a.example/';id;'",
    'https://a.example/ --args',
    'https://a.example/\nid',
    'https://a.example/x&calc',
    'vbscript:x',
    'http:',
    undefined as unknown as string,
  ])('never gets what is not plainly a URL: %j', (url) => {
    const env = { NODE_ENV: 'test', BROWSER: '/nonexistent/browser' } as const;
    expect(
      openBrowser({ platform: 'linux', env, stdout: stream, stderr: stream, stdin: process.stdin, hostName: 'x' }, url),
    ).toBe(false);
  });
});
