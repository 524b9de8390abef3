import { providerTheme } from '@sightline/contract/theme'
import { describe, expect, test } from 'vitest'
import { type EmailTemplate, renderEmail } from './index.ts'

const template: EmailTemplate = {
  subject: 'You are invited',
  heading: 'Welcome',
  paragraphs: ['First.', 'Second.'],
  button: { label: 'Open', address: 'https://video.example/a?b=1&c=2', orOpen: 'Or open:' },
  footnotes: ['Ignore it otherwise.'],
  language: 'en',
}
const theme = { ...providerTheme, companyName: 'Blue Eye', colors: { primary: '#ffcc00' as const } }
const brand = { theme, origin: 'https://video.example' }
const PNG = 'iVBORw0KGgo='

describe('an email', () => {
  test('has the same content in both parts, with the link as a button and as text, in the brand’s name and color', () => {
    const { senderName, text, html, language } = renderEmail(template, brand)
    expect([senderName, language]).toEqual(['Blue Eye', 'en'])
    for (const said of ['Blue Eye', 'Welcome', 'First.', 'Second.', 'Open', 'Ignore it otherwise.']) {
      expect(text).toContain(said)
      expect(html).toContain(said)
    }
    expect(text).toContain('\nhttps://video.example/a?b=1&c=2\n')
    expect(html.match(/href="https:\/\/video\.example\/a\?b=1&amp;c=2"/g)).toHaveLength(2)
    expect(html).toContain('>https://video.example/a?b=1&amp;c=2</a>')
    expect(html).toContain('background:#ffcc00')
    expect(html).toContain('<html lang="en" dir="ltr">')
  })
  test('has no button if there is nothing to open', () => {
    const { button: _, ...notice } = template
    const { text, html } = renderEmail(notice, brand)
    expect(text).toBe('Blue Eye\n\nWelcome\n\nFirst.\n\nSecond.\n\nIgnore it otherwise.\n')
    expect(html).not.toContain('<a ')
  })
  test('runs from right to left in such languages, but the address doesn’t', () => {
    const { html } = renderEmail({ ...template, language: 'ar' }, brand)
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain('<a dir="ltr"')
  })
  test('shows everything that users wrote as text, never as markup', () => {
    const evil = '"><script>alert(1)</script>'
    const { html } = renderEmail(
      {
        ...template,
        subject: evil,
        heading: evil,
        paragraphs: [evil],
        footnotes: [evil],
        button: { label: evil, address: `https://video.example/${evil}`, orOpen: evil },
      },
      { theme: { ...theme, logo: null, companyName: evil }, origin: brand.origin },
    )
    expect(html).not.toContain('<script')
    expect(html).not.toContain('"">')
  })
  test.each([
    ['no logo', null, undefined],
    ['an SVG, which email programs don’t show', 'data:image/svg+xml,%3Csvg/%3E', undefined],
    ['a picture on another host, which could track who reads the email', 'https://cdn.example/l.png', undefined],
    ['a picture on this host', '/logo.png', 'https://video.example/logo.png'],
    ['an SVG file', '/logo.svg', undefined],
    ['an embedded picture, which is attached', `data:image/png;base64,${PNG}`, 'cid:logo'],
  ])('%s', (_, logo, shown) => {
    const { html, pictures } = renderEmail(template, { ...brand, theme: { ...theme, logo } })
    if (shown === undefined) expect(html).not.toContain('<img')
    else expect(html).toContain(`<img src="${shown}" alt="Blue Eye" width="148" height="32"`)
    expect(pictures).toEqual(shown === 'cid:logo' ? [{ name: 'logo', type: 'image/png', base64: PNG }] : [])
  })
  test('a picture isn’t loaded over plain HTTP', () => {
    const over = { theme: { ...theme, logo: '/logo.png' }, origin: 'http://127.0.0.1:8080' }
    expect(renderEmail(template, over).html).not.toContain('<img')
  })
})
