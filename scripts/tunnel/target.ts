/** Reads the local server from a port or a URL. @returns null when it is neither */
export function readTarget(text: string | undefined): URL | null {
  if (text === undefined) return null;
  const url = /^\d+$/.test(text) ? `http://127.0.0.1:${text}` : text;
  if (!URL.canParse(url)) return null;
  const target = new URL(url);
  const isOrigin = target.pathname === '/' && target.search === '' && target.hash === '' && target.username === '';
  return /^https?:$/.test(target.protocol) && isOrigin && target.port !== '0' ? target : null;
}
