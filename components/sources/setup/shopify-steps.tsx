import { CopyValue } from './copy-value';
import { Name, type SetupStep, StepText } from './step-list';
import { TheirSecret } from './their-secret';

/** Shopify signs the webhooks of a store with one secret, which it shows below their list. */
export function shopifySteps(url: string, hasSecret: boolean): SetupStep[] {
  return [
    {
      title: 'Create a webhook in your store',
      content: (
        <StepText>
          In the Shopify admin, open <Name>Settings → Notifications → Webhooks</Name> and click{' '}
          <Name>Create webhook</Name>.
        </StepText>
      ),
    },
    {
      title: 'Paste the URL',
      content: (
        <>
          <CopyValue label="URL" value={url} />
          <StepText>
            Choose the <Name>Event</Name>, set <Name>Format</Name> to <Name>JSON</Name>, and click <Name>Save</Name>.
            Create one webhook per event. They can all use this URL.
          </StepText>
        </>
      ),
    },
    {
      title: 'Paste the signing secret here',
      isDone: hasSecret,
      content: (
        <>
          <StepText>
            Shopify shows the signing secret below the list of webhooks. For an app’s webhooks, use the app’s{' '}
            <Name>Client secret</Name>.
          </StepText>
          <TheirSecret label="Signing secret from Shopify" placeholder="64 characters" />
        </>
      ),
    },
    {
      title: 'Send a test notification',
      content: (
        <StepText>
          In the list of webhooks, open the new webhook’s menu and click <Name>Send test notification</Name>.
        </StepText>
      ),
    },
  ];
}
