import type { PageFrame } from '@sightline/contract/sign-in-pages'
import { providerTheme } from '@sightline/contract/theme'
import { expect, test } from 'vitest'
import { signInPages } from './index.tsx'

const frame = (): PageFrame => ({ language: 'en', otherLanguages: [], theme: providerTheme, nonce: 'n0nce' })
const action = '/sign-in/abc?lang=en'
const forgotHref = '/sign-in/forgot?from=abc&lang=en'
const passkeyHref = '/sign-in/abc/passkey'
const secondStep = { action: `${action}&step=code`, otherHref: '/sign-in/abc?step=recovery', startHref: action }
const secondFactor = { ...secondStep, mainKind: 'app', passkeyHosts: [] } as const

const signIn = (more: object = {}) =>
  signInPages.signIn({ ...frame(), action, email: '', forgotHref, passkeyHref, ...more })
const byPasskey = (more: object = {}) =>
  signInPages.secondFactor({
    ...frame(),
    ...secondStep,
    kind: 'passkey',
    mainKind: 'passkey',
    passkeyHosts: ['cams.example'],
    ...more,
  })
test('the page has one script with the nonce, and a form that only the script shows', () => {
  for (const html of [signIn(), byPasskey({ passkeyHref: `${passkeyHref}?step=passkey` })]) {
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).toContain('<script nonce="n0nce">(')
    expect(html).not.toMatch(/\son[a-z]+=|javascript:/i)
    expect(html).toMatch(/<form [^>]*data-passkeys="\/sign-in\/abc\/passkey[^>]*hidden/)
    expect(html).toContain('name="passkey"')
  }
})
test('the script is the same for every visitor and contains no end tag', () => {
  const scriptOf = (html: string) => /<script[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? ''
  expect(scriptOf(signIn())).toBe(scriptOf(byPasskey({ passkeyHref, language: 'nl' })))
  expect(scriptOf(signIn())).toMatch(/^\(function .*\)\(\)$/s)
  expect(scriptOf(signIn())).not.toMatch(/<\/|<!--/)
})
test('browsers offer passkeys in the email field; where passkeys cannot work the page has no script', () => {
  expect(signIn()).toMatch(/id="email"[^>]*autoComplete="username webauthn"/i)
  const refused = signIn({ problem: { kind: 'passkey' } })
  expect(refused).toMatch(/id="email"[^>]*autoComplete="username"/i)
  expect(signIn({ passkeyHref: undefined })).not.toMatch(/webauthn|<script|passkey/)
})
test('as second factor, without script or at another host, the page says what to do', () => {
  expect(byPasskey({ passkeyHref })).toContain('<noscript>')
  const elsewhere = byPasskey()
  expect(elsewhere).toContain('Use them at: cams.example')
  expect(elsewhere).not.toContain('<script')
  expect(elsewhere).toContain('Use a recovery code instead')
})
test('next to a code a passkey is an alternative, and recovery codes link back to the main method', () => {
  const both = signInPages.secondFactor({ ...frame(), ...secondFactor, kind: 'app', passkeyHref })
  expect(both).toContain('name="code"')
  expect(both).toContain('class="secondary"')
  const back = { ...frame(), ...secondFactor, kind: 'recoveryCode' } as const
  expect(signInPages.secondFactor(back)).toContain('Use a code from your app instead')
  expect(signInPages.secondFactor({ ...back, mainKind: 'passkey' })).toContain('Use a passkey instead')
})
test('a rejected passkey is reported without the reason', () => {
  const problem = { kind: 'passkey' } as const
  for (const html of [signIn({ problem }), byPasskey({ passkeyHref, problem })])
    expect(html).toContain('role="alert">This passkey wasn&#x27;t accepted.')
})
