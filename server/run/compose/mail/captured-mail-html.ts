import { createHash } from 'node:crypto'
import { paletteCss, providerTheme } from '@sightline/contract/theme'
import { escapedHtml } from '@sightline/platform/html'
import type { CapturedMail } from '@sightline/platform/mail'

export interface MailPage {
  readonly html: string
  /** Content security policy; defaults to the pages' own. */
  readonly policy?: string
}

const STYLE = `${paletteCss(providerTheme)}
*{box-sizing:border-box}
html{font:16px/1.5 system-ui,sans-serif;color:var(--tone-text);background:var(--tone-canvas)}
body{margin:0 auto;padding:1rem;max-width:60rem}
h1{font-size:1.375rem;line-height:1.25;margin:.5rem 0 1rem;overflow-wrap:anywhere}
p,dl{margin:0 0 1rem}
a{color:var(--tone-link)}
:focus-visible{outline:2px solid var(--tone-focus);outline-offset:2px}
.muted{color:var(--tone-muted);font-size:.875rem}
ul{list-style:none;margin:0;padding:0}
li a{display:block;padding:.75rem 1rem;margin-block-end:.5rem;background:var(--tone-surface);border:1px solid var(--tone-border);border-radius:.5rem;color:inherit;text-decoration:none;overflow-wrap:anywhere}
li a:hover{background:var(--tone-tint)}
li strong{display:block}
time{white-space:nowrap}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.125rem 1rem}
dt{color:var(--tone-muted)}
dd{margin:0;overflow-wrap:anywhere}
iframe{display:block;inline-size:100%;block-size:36rem;border:1px solid var(--tone-border);border-radius:.5rem;background:#fff}
summary{margin-block:1rem;cursor:pointer}
pre{margin:0;padding:1rem;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--tone-surface);border:1px solid var(--tone-border);border-radius:.5rem}
`

/** For the policy, so that no other style is ever applied. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

const documentOf = (title: string, body: string): MailPage => ({
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${escapedHtml(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body>${body}</body></html>`,
})

const timeOf = ({ date }: CapturedMail): string => {
  const iso = new Date(date).toISOString()
  return `<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`
}

/** For people who evaluate the product, so in English only. */
export const pageOfAll = (mails: readonly CapturedMail[]): MailPage =>
  documentOf(
    'Emails',
    `<main><h1>Emails</h1><p class="muted">Emails stay on this machine. The latest 200 are listed here. To send emails, set SIGHTLINE_SMTP_URL.</p>${
      mails.length === 0
        ? '<p>No emails yet.</p>'
        : `<ul>${mails
            .map(
              (mail) =>
                `<li><a href="/mail/${mail.id}"><strong dir="auto">${escapedHtml(mail.subject)}</strong><span class="muted">to <bdi>${escapedHtml(mail.to)}</bdi> · ${timeOf(mail)}</span></a></li>`,
            )
            .join('')}</ul>`
    }</main>`,
  )

export const pageOfMail = (mail: CapturedMail): MailPage =>
  documentOf(
    mail.subject,
    `<main><p><a href="/mail/">All emails</a></p><h1 dir="auto">${escapedHtml(mail.subject)}</h1><dl><dt>From</dt><dd dir="auto">${escapedHtml(mail.senderName)}</dd><dt>To</dt><dd>${escapedHtml(mail.to)}</dd><dt>Date</dt><dd>${timeOf(mail)}</dd></dl><iframe src="/mail/${mail.id}/document" title="Email" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe><details><summary>Plain text</summary><pre dir="auto">${escapedHtml(mail.text)}</pre></details></main>`,
  )

export const pageOfNone = (): MailPage =>
  documentOf('Email not found', '<main><h1>Email not found</h1><p><a href="/mail/">All emails</a></p></main>')
