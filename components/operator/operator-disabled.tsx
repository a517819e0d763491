import { AuthHeading } from '@/components/auth/auth-heading';
import { CodeBlock } from '@/components/ui/code-block';

/** Explains how to enable the operator API in a deployment without a token. */
export function OperatorDisabled() {
  return (
    <>
      <AuthHeading title="Operator">The operator page is disabled in this deployment.</AuthHeading>
      <p className="mb-3 text-sm">
        Set <code className="font-mono">PLATFORM_ADMIN_TOKEN</code> to a random string of at least 24 characters in the
        web process’s environment, then restart it:
      </p>
      <CodeBlock
        label="Enable the operator page"
        language="shell"
        code={'PLATFORM_ADMIN_TOKEN="$(openssl rand -base64 32)"'}
      />
      <p className="mt-3 text-muted text-sm">
        Until then, every path under <code className="font-mono">/api/v1/admin</code> answers 404.
      </p>
    </>
  );
}
