import { CopyValue } from './copy-value';
import { Name, ProviderLink, type SetupStep, StepText } from './step-list';
import { TheirSecret } from './their-secret';

/** Stripe shows its secret after it knows the URL. */
export function stripeSteps(url: string, hasSecret: boolean): SetupStep[] {
  return [
    {
      title: 'Add a destination in Stripe',
      content: (
        <StepText>
          In the <ProviderLink href="https://dashboard.stripe.com/webhooks">Stripe dashboard</ProviderLink>, open{' '}
          <Name>Developers → Webhooks</Name> and click <Name>Add destination</Name>. Select the events you want, then
          click <Name>Continue</Name>.
        </StepText>
      ),
    },
    {
      title: 'Paste the URL',
      content: (
        <>
          <StepText>
            Choose <Name>Webhook endpoint</Name>, paste this URL, and click <Name>Create destination</Name>.
          </StepText>
          <CopyValue label="Endpoint URL" value={url} />
        </>
      ),
    },
    {
      title: 'Paste the signing secret here',
      isDone: hasSecret,
      content: (
        <>
          <StepText>
            On the new destination’s page, reveal the <Name>Signing secret</Name> and copy it. It starts with whsec_.
          </StepText>
          <TheirSecret label="Signing secret from Stripe" placeholder="whsec_…" />
        </>
      ),
    },
    {
      title: 'Send a test event',
      content: (
        <StepText>
          In a sandbox, run <code className="font-mono text-text text-xs">stripe trigger payment_intent.succeeded</code>{' '}
          with the Stripe CLI, or make a test payment.
        </StepText>
      ),
    },
  ];
}
