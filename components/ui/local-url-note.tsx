import { Callout } from './callout';
import { TextLink } from './link';

/** The hosts of this computer, as URL.hostname gives them. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Returns whether only this computer reaches a URL. */
export function isLocalUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/** Says that others cannot reach a URL that is handed out, and what to set. Renders nothing for any other URL. */
export function LocalUrlNote({ url, others }: { url: string; others: string }) {
  if (!isLocalUrl(url)) return null;
  return (
    <Callout tone="warning">
      Only this computer reaches this URL: {others} can’t. Start the service with{' '}
      <code className="break-all font-mono text-xs">APP_BASE_URL=https://events.example.com</code>, the address that it
      has for others. <TextLink href="/docs/guides/self-hosting#before-production">Before production</TextLink>
    </Callout>
  );
}
