import { type BrandTheme, createPalette, type Palette } from '@sightline/contract/theme'
import { escapedHtml } from '../html/index.ts'
import type { MailContent, MailPicture } from './delivery.ts'

/** The content of an email, in one language; none of it is markup. */
export interface EmailTemplate {
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** Attached and shown below the paragraphs; `caption` also describes it to those who don't see it. */
  readonly pictures?: readonly { readonly jpegBase64: string; readonly caption: string }[]
  /** `orOpen` comes before the written-out address, in case the button doesn't work. */
  readonly button?: { readonly label: string; readonly address: string; readonly orOpen: string }
  /** Smaller, below. */
  readonly footnotes: readonly string[]
  /** BCP 47. */
  readonly language: string
}

/** The brand that sends the email. */
export interface EmailBrand {
  readonly theme: BrandTheme
  /** Base of pictures that the theme names by path. */
  readonly origin: string
}

/** Written from right to left. */
const RTL = new Set(['ar', 'fa', 'he', 'ur'])
const LOGO = 'logo'
const FONT = "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

/**
 * An email in the brand's look, and the same as plain text. Email programs support only tables and style attributes.
 */
export function renderEmail(template: EmailTemplate, brand: EmailBrand): MailContent {
  const { theme } = brand
  const { companyName } = theme
  const { heading, paragraphs, pictures: shown = [], button, footnotes, language } = template
  const picture = pictureOf(theme)
  const logo = picture === undefined ? addressOfLogo(brand) : `cid:${LOGO}`
  const link = button === undefined ? [] : [`${button.label}:\n${button.address}`]
  const text = [companyName, heading, ...paragraphs, ...link, ...footnotes].join('\n\n')
  const colours = createPalette(theme.colors, 'light')
  const muted = mutedIn(colours)
  const html = `<!doctype html>
<html lang="${escapedHtml(language)}" dir="${RTL.has(language) ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light only">
<title>${escapedHtml(template.subject)}</title>
</head>
<body style="margin:0;padding:0;background:${colours.canvas};">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${colours.canvas};">
<tr><td align="center" style="padding:24px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:${colours.surface};border:1px solid ${colours.border};border-top:4px solid ${colours.primary};border-radius:8px;">
<tr><td style="padding:28px 24px;font-family:${FONT};font-size:16px;line-height:24px;color:${colours.text};overflow-wrap:anywhere;">
<div dir="auto" style="margin:0 0 24px;font-size:18px;font-weight:600;">${logoOr(escapedHtml(companyName), logo, theme)}</div>
<h1 dir="auto" style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600;">${escapedHtml(heading)}</h1>
${paragraphs.map((text) => p(escapedHtml(text))).join('\n')}
${shown.map(({ caption }, index) => figureOf(caption, index, muted)).join('\n')}
${button === undefined ? '' : buttonOf(button, colours)}
${footnotes.map((text) => p(escapedHtml(text), muted)).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  const attached = shown.map(
    ({ jpegBase64: base64 }, index): MailPicture => ({ name: nameOf(index), type: 'image/jpeg', base64 }),
  )
  const pictures = [...(picture === undefined ? [] : [picture]), ...attached]
  return { senderName: companyName, subject: template.subject, text: `${text}\n`, html, language, pictures }
}

const nameOf = (index: number): string => `picture${index + 1}`

const figureOf = (caption: string, index: number, muted: string): string =>
  `<img src="cid:${nameOf(index)}" alt="${escapedHtml(caption)}" width="510" style="display:block;border:0;width:100%;height:auto;border-radius:6px;">
${p(escapedHtml(caption), muted)}`

const p = (content: string, style = ''): string => `<p dir="auto" style="margin:0 0 16px;${style}">${content}</p>`
const mutedIn = (colours: Palette): string => `font-size:13px;line-height:20px;color:${colours.muted};`

/** The button, and below it its address. */
function buttonOf({ label, address, orOpen }: NonNullable<EmailTemplate['button']>, colours: Palette): string {
  const href = escapedHtml(address)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0;"><tr><td style="background:${colours.primary};border:1px solid ${colours['primary-edge']};border-radius:8px;"><a href="${href}" style="display:inline-block;padding:12px 24px;font-weight:600;color:${colours['on-primary']};text-decoration:none;">${escapedHtml(label)}</a></td></tr></table>
${p(`${escapedHtml(orOpen)}<br><a dir="ltr" href="${href}" style="color:${colours.link};word-break:break-all;">${href}</a>`, mutedIn(colours))}`
}

const logoOr = (name: string, logo: string | undefined, { logoWidth, logoHeight }: BrandTheme): string =>
  logo === undefined
    ? name
    : `<img src="${escapedHtml(logo)}" alt="${name}" width="${logoWidth}" height="${logoHeight}" style="border:0;max-width:100%;">`

/**
 * Email programs don't show `data:` pictures, so one that is embedded in the theme is attached to the email. They don't
 * show SVG.
 */
function pictureOf({ logo }: BrandTheme): MailPicture | undefined {
  const embedded = /^data:image\/(png|jpeg|gif);base64,([A-Za-z0-9+/]+={0,2})$/.exec(logo ?? '')
  const [, type, base64] = embedded ?? []
  if (base64 === undefined) return undefined
  return { name: LOGO, type: `image/${type}` as MailPicture['type'], base64 }
}

function addressOfLogo({ theme: { logo }, origin }: EmailBrand): string | undefined {
  // A picture on another host would reveal to that host who reads the email.
  if (logo === null || !logo.startsWith('/') || /\.svg(?:[?#]|$)/i.test(logo)) return undefined
  // A picture loaded over plain HTTP would reveal who reads the email.
  const address = new URL(logo, origin)
  return address.protocol === 'https:' ? address.href : undefined
}
