import { CopyValue } from './copy-value';
import { Name, ProviderLink, type SetupStep, StepText } from './step-list';
import { TheirSecret } from './their-secret';

/** Slack verifies the URL with a signed request, so its secret comes first. */
export function slackSteps(url: string, hasSecret: boolean): SetupStep[] {
  return [
    {
      title: 'Paste the signing secret here first',
      isDone: hasSecret,
      content: (
        <>
          <StepText>
            Open your app at <ProviderLink href="https://api.slack.com/apps">api.slack.com/apps</ProviderLink>. Under{' '}
            <Name>Basic Information → App Credentials</Name>, show the <Name>Signing Secret</Name> and copy it. In the
            next step, Slack verifies the URL with a request signed with this secret.
          </StepText>
          <TheirSecret label="Signing secret from Slack" placeholder="32 hexadecimal digits" />
        </>
      ),
    },
    {
      title: 'Paste the URL',
      content: (
        <>
          <StepText>
            Open <Name>Event Subscriptions</Name>, turn on <Name>Enable Events</Name>, and paste this URL. Slack shows{' '}
            <Name>Verified</Name> next to it.
          </StepText>
          <CopyValue label="Request URL" value={url} />
        </>
      ),
    },
    {
      title: 'Choose events and save',
      content: (
        <StepText>
          Under <Name>Subscribe to bot events</Name>, add events such as app_mention, and click{' '}
          <Name>Save Changes</Name>. If Slack asks you to reinstall the app, do so. Then mention it in a channel.
        </StepText>
      ),
    },
  ];
}
