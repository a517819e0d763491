import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';

/** Shows a new API key, which cannot be shown again. */
export function KeyNote({ plaintext }: { plaintext: string }) {
  return (
    <>
      <Callout tone="warning">This is your API key. Copy it now. It cannot be shown again, only replaced.</Callout>
      <CodeBlock label="Key" code={plaintext} wrap />
    </>
  );
}
