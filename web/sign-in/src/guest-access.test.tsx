import type { SignInPage } from '@sightline/contract/sign-in-pages'
import { signInLanguages } from '@sightline/contract/sign-in-pages'
import { providerTheme } from '@sightline/contract/theme'
import { expect, test } from 'vitest'
import { signInPages } from './index.tsx'
import { texts } from './texts.ts'

const action = '/sign-in/abc?lang=en'
const signIn = (more: Partial<SignInPage> = {}) =>
  signInPages.signIn({
    language: 'en',
    otherLanguages: [],
    theme: providerTheme,
    nonce: 'n0nce',
    action,
    email: '',
    forgotHref: '/sign-in/forgot',
    ...more,
  })
const shop = { accountId: 5001, name: 'Shop <North>' }
const yard = { accountId: 5002, name: 'Yard' }

test('without a public demo the page does not mention one', () => {
  expect(signIn()).not.toMatch(/demonstration/i)
})

test('one demo is a secondary button after the form, in a separate form without script', () => {
  const html = signIn({ demonstrations: [shop] })
  expect(html).toContain('<button type="submit" class="secondary" value="5001" name="demonstration">View demo</button>')
  expect(html).not.toMatch(/<script|<legend/)
  const [first = '', second = '', ...more] = html.split('<form ').slice(1)
  expect([first, second].map((form) => form.includes('name="demonstration"'))).toEqual([false, true])
  expect(second).toContain(`action="${action}" method="post"`)
  expect(more).toEqual([])
})

test('several demos have a heading, and each button has its account’s name, escaped', () => {
  const html = signIn({ demonstrations: [shop, yard] })
  expect(html).toContain('<legend>Choose a demo</legend>')
  expect(html).toContain('value="5001" name="demonstration">Shop &lt;North&gt;</button>')
  expect(html).toContain('value="5002" name="demonstration">Yard</button>')
})

test.each(signInLanguages)('in %s the demo texts are translated, and a closed demo is reported', (language) => {
  const { button, several, closed } = texts[language].demonstration
  expect(new Set([button, several, closed]).size).toBe(3)
  const html = signIn({ language, demonstrations: [shop], problem: { kind: 'demonstration' } })
  expect(html).toContain(`>${button}<`)
  expect(html).toContain(`role="alert">${closed}<`)
  expect(html).not.toContain('aria-invalid')
})
