import type { CodeSample } from '@/components/ui/code-tabs';
import { shellQuote } from '@/components/ui/shell-quote';

const LANGUAGES = { Node: 'javascript', Python: 'python', Go: 'go', PHP: 'php' } as const;

/** Returns the functions that verify a signature, one for each language, as the guide about them has them. */
export function signatureSamples(guide: string): CodeSample[] {
  return Object.entries(LANGUAGES).map(([name, language]) => {
    const code = guide.split(`\n### ${name}\n`)[1]?.match(/```\w+\n([\s\S]*?)\n```/)?.[1];
    if (code === undefined) throw new Error(`the guide has no function in ${name}`);
    return { name, language, code };
  });
}

/** Returns commands that send a signed request to a receiver, to check its code. */
export function signedCurl(url: string): string {
  return `SECRET='whsec_…'
URL=${shellQuote(url)}
ID=msg_test
TIME=$(date +%s)
BODY='{"type":"endpoint.test","timestamp":"2026-01-31T09:30:00.000Z","data":{}}'
KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl -i --globoff "$URL" -d "$BODY" -H 'content-type: application/json' -H "webhook-id: $ID" \\
  -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE"`;
}
