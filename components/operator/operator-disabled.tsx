import { AuthHeading } from '@/components/auth/auth-heading';
import { CodeBlock } from '@/components/ui/code-block';

/** How the operator's part of the API is switched on, for a deployment that has no token. */
export function OperatorDisabled() {
  return (
    <>
      <AuthHeading title="Operator">The operator’s page is switched off in this deployment.</AuthHeading>
      <p className="mb-3 text-sm">
        Set <code className="font-mono">PLATFORM_ADMIN_TOKEN</code> to a random text of at least 24 characters in the
        environment of the web process, and start it again:
      </p>
      <CodeBlock
        label="Switch the operator’s page on"
        language="shell"
        code={'PLATFORM_ADMIN_TOKEN="$(openssl rand -base64 32)"'}
      />
      <p className="mt-3 text-muted text-sm">
        Until then every path below <code className="font-mono">/api/v1/admin</code> answers 404.
      </p>
    </>
  );
}
