const PRODUCT_NAME = 'Event Delivery';

/** The content of a mail, in plain text: `layOutMail` escapes it. */
interface MailContent {
  /** Also the heading. */
  subject: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  /** Small print: how long a link is valid, what to do if one did not request it. */
  closing?: string[];
}

/** Renders a mail as text and as HTML that needs no image, no script and no other host. */
export function layOutMail(content: MailContent): { subject: string; text: string; html: string } {
  return { subject: content.subject, text: toText(content), html: toHtml(content) };
}

function toText({ subject, paragraphs, action, closing = [] }: MailContent): string {
  const link = action === undefined ? [] : [`${action.label}:\n${action.url}`];
  return `${[subject, ...paragraphs, ...link, ...closing, `-- \n${PRODUCT_NAME}`].join('\n\n')}\n`;
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const BODY_TEXT = 'margin:0 0 16px;font-size:15px;line-height:24px;color:#17171c';
const SMALL_TEXT = 'margin:0 0 8px;font-size:13px;line-height:20px;color:#5d5d68';
const BUTTON =
  'display:inline-block;padding:11px 20px;border-radius:8px;background:#3350d0;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none';

function toHtml({ subject, paragraphs, action, closing = [] }: MailContent): string {
  const button = action === undefined ? '' : buttonOf(action);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background:#f4f4f6;${FONT}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f6">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td style="padding:0 4px 16px;font-size:14px;font-weight:600;color:#17171c">${PRODUCT_NAME}</td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid #e5e5ea;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600;color:#17171c">${escapeHtml(subject)}</h1>
${paragraphs.map((text) => `<p style="${BODY_TEXT}">${escapeHtml(text)}</p>`).join('\n')}
${button}
${closing.map((text) => `<p style="${SMALL_TEXT}">${escapeHtml(text)}</p>`).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function buttonOf({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url);
  return `<p style="margin:24px 0"><a href="${href}" style="${BUTTON}">${escapeHtml(label)}</a></p>
<p style="${SMALL_TEXT}">Or open this link:<br><a href="${href}" style="color:#2f4ac4;word-break:break-all">${href}</a></p>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
