import { LogIn } from 'lucide-react';
import { Button } from '@/components/ui/button';
import type { SignInProvider } from '@/lib/idp/schema';
import { providerPath } from './provider-path';

/** The ways in through an identity provider, above the form; nothing when none is configured (spec 5.7.1). */
export function ContinueWith({ providers, returnTo }: { providers: readonly SignInProvider[]; returnTo: string }) {
  if (providers.length === 0) return null;
  return (
    <div className="mb-5 grid gap-2">
      {providers.map(({ id, name }) => (
        <Button key={id} asChild size="lg" className="w-full">
          <a href={providerPath(id, returnTo)}>
            <LogIn aria-hidden="true" />
            Continue with {name}
          </a>
        </Button>
      ))}
      <p className="mt-3 flex items-center gap-3 text-muted text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or with a password
      </p>
    </div>
  );
}
