import { Callout } from './callout';

/** Shown instead of a URL that the server cannot decrypt. */
export function UnreadableUrl() {
  return (
    <Callout tone="danger">
      <p className="font-medium">This URL can’t be shown.</p>
      <p>It was encrypted with a key that ENCRYPTION_KEY no longer contains. Rotate the URL to get a new one.</p>
    </Callout>
  );
}
