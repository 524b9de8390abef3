import { confirmationProblem, passwordProblem } from '@sightline/contract/credentials'
import {
  firstRunFields,
  type PageFrame,
  type SignInLanguage,
  setPasswordFields,
  signInLanguages,
} from '@sightline/contract/sign-in-pages'
import { providerTheme } from '@sightline/contract/theme'
import { companyProblem, emailProblem, nameProblem } from '@sightline/contract/user-details'
import { describe, expect, test } from 'vitest'
import { signInPages } from './index.tsx'
import { fill, texts } from './texts.ts'

const frame = (language: SignInLanguage = 'en'): PageFrame => ({
  language,
  otherLanguages: [{ language: language === 'en' ? 'nl' : 'en', href: '/sign-in/abc?lang=nl' }],
  theme: { ...providerTheme, links: { ...providerTheme.links, terms: '/terms', privacyPolicy: '/privacy' } },
  nonce: 'n0nce',
})
const action = '/sign-in/abc?lang=en'
const forgotHref = '/sign-in/forgot?from=abc&lang=en'
const secondStep = { action: `${action}&step=code`, otherHref: '/sign-in/abc?step=recovery', startHref: action }
const secondFactor = { ...secondStep, mainKind: 'app', passkeyHosts: [] } as const
const pages = (language: SignInLanguage = 'en') => ({
  signIn: signInPages.signIn({
    ...frame(language),
    action,
    email: 'a@b.example',
    forgotHref,
    problem: { kind: 'incorrect' },
  }),
  forgotPassword: signInPages.forgotPassword({
    ...frame(language),
    action: forgotHref,
    email: 'a@b',
    signInHref: action,
    problem: { kind: 'email', problem: 'Please enter a valid email address' },
  }),
  resetAsked: signInPages.resetAsked({ ...frame(language), email: 'a@b.example', signInHref: action }),
  secondFactor: signInPages.secondFactor({
    ...frame(language),
    ...secondFactor,
    kind: 'app',
    problem: { kind: 'incorrect' },
  }),
  recoveryCode: signInPages.secondFactor({ ...frame(language), ...secondFactor, kind: 'recoveryCode' }),
  chooseAccount: signInPages.chooseAccount({
    ...frame(language),
    action,
    accounts: [
      { userId: 1, name: 'Bakery', brand: 'Blue Eye' },
      { userId: 2, name: 'Home', brand: 'Sightline' },
    ],
  }),
  consent: signInPages.consent({
    ...frame(language),
    action,
    clientName: 'Night <Watch>',
    email: 'a@b.example',
    scopes: ['read', 'write'],
    returnsTo: 'nvr.example',
  }),
  error: signInPages.error({ ...frame(language), kind: 'expired', requestId: 'abc123' }),
  loggedOut: signInPages.loggedOut({ ...frame(language), backHref: '/' }),
  confirmLogout: signInPages.confirmLogout({ ...frame(language), action, email: 'a@b.example', stayHref: '/' }),
  firstRun: signInPages.firstRun({
    ...frame(language),
    action,
    typed: { company: 'Bakery "Noord"', firstName: 'Ada', lastName: '', email: 'a@b.example' },
    problems: { lastName: 'Last name is required', password: 'This password is too common' },
  }),
  setPassword: signInPages.setPassword({
    ...frame(language),
    action,
    kind: 'invitation',
    email: 'a@b.example',
    problems: { password: 'This password is too common' },
  }),
  confirmEmail: signInPages.confirmEmail({
    ...frame(language),
    action,
    email: 'a@b.example',
    newEmail: 'new@b.example',
    askedBy: 'Dee <Dealer>',
    isTaken: true,
  }),
  emailAnswered: signInPages.emailAnswered({
    ...frame(language),
    outcome: 'confirmed',
    email: 'new@b.example',
    signInHref: '/app/',
  }),
  passwordSet: signInPages.passwordSet({ ...frame(language), signInHref: '/app/' }),
})

/** The attributes of the first such tag. */
function tag(html: string, start: string): Record<string, string> {
  const whole = html.slice(html.indexOf(`<${start}`)).split('>', 1)[0] ?? ''
  return Object.fromEntries(
    [...whole.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  )
}

describe('every page', () => {
  test.each(Object.entries(pages()))('%s holds no script and no style attribute', (_, html) => {
    expect(html).not.toMatch(/<script|\son[a-z]+=|javascript:/i)
    expect(html).not.toMatch(/\sstyle=/)
  })
  test.each(Object.entries(pages('nl')))('%s declares its language and offers the others', (_, html) => {
    expect(html).toMatch(/^<!doctype html><html lang="nl"/)
    expect(html).toContain('hrefLang="en"')
    expect(html).toContain('Voorwaarden')
  })
  test.each(Object.entries(pages()))('only the sign-in page is open to search engines: %s', (name, html) => {
    expect(html.includes('<meta name="robots" content="noindex"/>')).toBe(name !== 'signIn')
    expect(html.includes('<meta name="description" content="Sign in to Sightline')).toBe(name === 'signIn')
  })
  test('has one style element with the nonce and the brand’s colors', () => {
    const theme = { ...providerTheme, colors: { primary: '#ffcc00' as const } }
    const html = signInPages.loggedOut({ ...frame(), theme, backHref: '/' })
    expect(html.match(/<style/g)).toHaveLength(1)
    expect(html).toContain('<style nonce="n0nce">')
    expect(html).toContain('--tone-primary:#ffcc00')
  })
  test('escapes texts from resellers and users', () => {
    const evil = '"><img src=x onerror=alert(1)>'
    const theme = { ...providerTheme, logo: null, companyName: evil }
    const html = signInPages.signIn({ ...frame(), theme, action, email: evil, forgotHref })
    expect(html).not.toContain('<img')
  })
})

describe('the form of the second factor', () => {
  test('has a code field that phones and password managers recognize', () => {
    const { secondFactor } = pages()
    expect(tag(secondFactor, 'form')).toEqual({ method: 'post', action: '/sign-in/abc?lang=en&amp;step=code' })
    expect(tag(secondFactor, 'input id="code"')).toMatchObject({
      name: 'code',
      autocomplete: 'one-time-code',
      inputmode: 'numeric',
      'aria-invalid': 'true',
      'aria-describedby': 'problem',
    })
    expect(secondFactor).toContain('<p class="problem" id="problem" role="alert">This code is incorrect')
  })
  test('asks for a recovery code with a letter keyboard, and never fills in a code', () => {
    const { recoveryCode } = pages()
    const input = tag(recoveryCode, 'input id="code"')
    expect(input).toMatchObject({ autocomplete: 'off' })
    expect(input).not.toHaveProperty('inputmode')
    expect(input).not.toHaveProperty('value')
  })
  test('links to the other kind of code and back to the password', () => {
    const { secondFactor } = pages()
    expect(secondFactor).toContain('href="/sign-in/abc?step=recovery"')
    expect(secondFactor).toContain('href="/sign-in/abc?lang=en"')
  })
  test.each([
    [{ kind: 'locked', minutes: 7 }, 'Try again in 7 minutes.'],
    [{ kind: 'busy' }, 'Try again in a few seconds.'],
  ] as const)('says what to do about %j', (problem, text) => {
    const html = signInPages.secondFactor({ ...frame(), ...secondFactor, kind: 'app', problem })
    expect(html).toContain(text)
    expect(tag(html, 'input id="code"')).not.toHaveProperty('aria-invalid')
  })
})

describe('the sign-in form', () => {
  test('posts email and password fields that password managers recognize', () => {
    const { signIn } = pages()
    expect(tag(signIn, 'form')).toEqual({ method: 'post', action })
    expect(tag(signIn, 'input id="email"')).toMatchObject({ name: 'email', type: 'email', autocomplete: 'username' })
    expect(tag(signIn, 'input id="password"')).toMatchObject({
      name: 'password',
      type: 'password',
      autocomplete: 'current-password',
    })
    expect(signIn).toContain('<label for="email">')
    expect(signIn).toContain('<label for="password">')
  })
  test('after a failure both fields refer to the error, and the password has the focus', () => {
    const { signIn } = pages()
    expect(signIn).toContain('Incorrect email address or password')
    expect(signIn.match(/aria-describedby="problem"/g)).toHaveLength(2)
    expect(signIn.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(signIn).toMatch(/id="password"[^>]*autofocus/i)
    expect(signIn).toContain('value="a@b.example"')
  })
  test('at first the email field has the focus and nothing is invalid', () => {
    const html = signInPages.signIn({ ...frame(), action, email: '', forgotHref })
    expect(html).toMatch(/id="email"[^>]*autofocus/i)
    expect(html).not.toMatch(/id="password"[^>]*autofocus|aria-invalid|role="alert"/i)
  })
  test.each([
    ['en', 1, 'Try again in 1 minute.'],
    ['en', 15, 'Try again in 15 minutes.'],
    ['de', 1, 'in 1 Minute erneut.'],
    ['es', 15, 'dentro de 15 minutos.'],
    ['ja', 1, '1 分後に'],
    ['nl', 1, 'over 1 minuut opnieuw.'],
    ['pl', 1, 'za 1 minutę.'],
    ['pl', 3, 'za 3 minuty.'],
    ['pl', 15, 'za 15 minut.'],
    ['pt', 1, 'dentro de 1 minuto.'],
    ['tr', 7, '7 dakika sonra'],
  ] as const)(
    '%s: a lock says how many minutes to wait, with the language’s plural rules: %i',
    (language, minutes, text) => {
      const problem = { kind: 'locked', minutes } as const
      expect(signInPages.signIn({ ...frame(language), action, email: '', forgotHref, problem })).toContain(text)
    },
  )
})

describe('the page for a forgotten password', () => {
  test('is linked from the sign-in page and links back', () => {
    expect(pages().signIn).toContain('href="/sign-in/forgot?from=abc&amp;lang=en">Forgot password?<')
    expect(pages().forgotPassword).toContain('href="/sign-in/abc?lang=en">Back to sign-in<')
    expect(pages().resetAsked).toContain('href="/sign-in/abc?lang=en">Back to sign-in<')
    const html = signInPages.forgotPassword({ ...frame(), action: forgotHref, email: '' })
    expect(html).not.toMatch(/Back to sign-in|role="alert"|aria-invalid/)
  })
  test('asks only for the email address, in a field that password managers recognize, and reports an invalid one', () => {
    const html = pages('nl').forgotPassword
    expect(tag(html, 'input id="email"')).toMatchObject({
      type: 'email',
      autocomplete: 'username',
      value: 'a@b',
      'aria-invalid': 'true',
      'aria-describedby': 'problem',
    })
    expect(html).not.toContain('type="password"')
    expect(html).toContain('role="alert">Voer een geldig e-mailadres in<')
  })
  test('says how long to wait after too many requests', () => {
    const problem = { kind: 'locked', minutes: 7 } as const
    const html = signInPages.forgotPassword({ ...frame(), action: forgotHref, email: 'a@b.example', problem })
    expect(html).toContain('Try again in 7 minutes.')
  })
  test('an expired link offers a new one', () => {
    const html = signInPages.error({ ...frame(), kind: 'passwordLink' })
    expect(html).toContain('href="/sign-in/forgot?lang=en">Forgot password?<')
    expect(pages().error).not.toContain('/sign-in/forgot')
  })
})

describe('the consent page', () => {
  test('names the client, the user, the permissions, their duration and where both answers lead', () => {
    const { consent } = pages()
    expect(consent).toContain('Night &lt;Watch&gt; wants to:')
    expect(consent).toContain('You&#x27;re signed in as a@b.example.')
    const wanted = /<ul aria-labelledby="wants">(.*?)<\/ul>/.exec(consent)?.[1]
    expect(wanted?.match(/<li>/g)).toHaveLength(2)
    expect(consent).toContain('Access lasts until it expires or you remove it under “Connected apps” in your account.')
    expect(consent).toContain('Whether you allow it or not, you&#x27;ll return to nvr.example.')
  })
  test('posts one of two decisions, and no button has the focus', () => {
    const { consent } = pages()
    expect(tag(consent, 'form')).toEqual({ method: 'post', action })
    const decisions = [...consent.matchAll(/<button [^>]*value="(\w+)"/g)].map(([, d]) => d)
    expect(decisions).toEqual(['refuse', 'allow'])
    expect(consent).not.toMatch(/autofocus/i)
  })
})

describe('the page that confirms a new email address', () => {
  const page = { ...frame(), action, email: 'a@b.example', newEmail: 'new@b.example', askedBy: 'Dee <Dealer>' }
  test('shows who asks and both addresses, and no button has the focus', () => {
    const html = signInPages.confirmEmail({ ...page, isTaken: false })
    expect(tag(html, 'form')).toEqual({ method: 'post', action })
    for (const text of ['Dee &lt;Dealer&gt; asked', '>a@b.example<', '>new@b.example<']) expect(html).toContain(text)
    const decisions = [...html.matchAll(/<button [^>]*value="(\w+)"/g)].map(([, d]) => d)
    expect(decisions).toEqual(['refuse', 'confirm'])
    expect(html).not.toMatch(/autofocus|role="alert"/i)
  })
  test('says if another user has the address', () => {
    const html = signInPages.confirmEmail({ ...page, isTaken: true })
    expect(html).toMatch(/role="alert">Another user already has this email address/)
  })
  test.each([
    ['confirmed', 'From now on, sign in with new@b.example.'],
    ['refused', 'Your email address is still new@b.example.'],
  ] as const)('%s: confirms it and links to sign-in', (outcome, text) => {
    const html = signInPages.emailAnswered({ ...frame(), outcome, email: 'new@b.example', signInHref: '/app/' })
    expect(html).toContain(text)
    expect(html).toContain('href="/app/">Sign in<')
  })
})

describe('the first-run form', () => {
  test('at first all fields are required and the first one has the focus', () => {
    const html = signInPages.firstRun({ ...frame(), action, typed: {}, problems: {} })
    expect(tag(html, 'form')).toEqual({ method: 'post', action })
    for (const name of firstRunFields) {
      expect(html).toContain(`<label for="${name}">`)
      expect(html).toMatch(new RegExp(`<input id="${name}"[^>]* required`))
    }
    expect(html.match(/autofocus/gi)).toHaveLength(1)
    expect(html).toMatch(/id="company"[^>]*autofocus/i)
    expect(html).not.toMatch(/aria-invalid|role="alert"/)
  })
  test('after an error keeps all values except passwords, and shows each error below its field', () => {
    const { firstRun: html } = pages('nl')
    expect(html).toContain('value="Bakery &quot;Noord&quot;"')
    expect(tag(html, 'input id="lastName"')).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'lastName-below',
    })
    expect(html).toContain('id="lastName-below">Achternaam is verplicht<')
    expect(html).toContain('id="password-below">Dit wachtwoord komt te vaak voor<')
    expect(html).toMatch(/id="lastName"[^>]*autofocus/i)
    expect(html).not.toMatch(/type="password"[^>]*value=/)
    expect(html).toContain('role="alert"')
  })
  test.each([
    nameProblem('First', ''),
    nameProblem('Last', ''),
    nameProblem('Last', '<'),
    companyProblem('<'),
    emailProblem(''),
    emailProblem('x'),
    passwordProblem('short'),
    passwordProblem('<'),
    confirmationProblem('a', 'b'),
  ])('every rule’s error is translated: %s', (problem = 'no problem') => {
    for (const language of signInLanguages) expect(texts[language].firstRun.problems).toHaveProperty([problem])
  })
})

describe('the page that sets a password', () => {
  const page = { ...frame(), action, email: 'a@b.example' }
  test('asks for it twice, in fields that password managers recognize', () => {
    const html = signInPages.setPassword({ ...page, kind: 'invitation', problems: {} })
    expect(tag(html, 'form')).toEqual({ method: 'post', action })
    expect(tag(html, 'input id="email"')).toMatchObject({ autocomplete: 'username', value: 'a@b.example' })
    for (const name of setPasswordFields) {
      expect(html).toContain(`<label for="${name}">`)
      expect(tag(html, `input id="${name}"`)).toMatchObject({ type: 'password', autocomplete: 'new-password' })
    }
    expect(html.match(/autofocus/gi)).toHaveLength(1)
    expect(html).not.toMatch(/aria-invalid|role="alert"|name="email"/)
  })
  test('after an error shows it below the field, and never fills in the password', () => {
    const problems = { confirmation: 'Password does not match' }
    const html = signInPages.setPassword({ ...page, ...frame('nl'), kind: 'reset', problems })
    expect(html).toContain('id="confirmation-below">Wachtwoorden komen niet overeen<')
    expect(html).toMatch(/id="confirmation"[^>]*autofocus/i)
    expect(html).not.toMatch(/type="password"[^>]*value=/)
    expect(html).toContain('role="alert"')
  })
  test('an overloaded server does not mark the fields as invalid', () => {
    const html = signInPages.setPassword({ ...page, kind: 'reset', problems: {}, isBusy: true })
    expect(html).toContain('Try again in a few seconds.')
    expect(html).not.toContain('aria-invalid')
  })
  test('links to sign-in when it is done', () => {
    expect(pages().passwordSet).toContain('href="/app/">Sign in<')
  })
})

describe('the sign-in page after a correct password that does not sign in', () => {
  const page = { ...frame(), action, email: 'a@b.example', forgotHref }
  test('links staff to their application and does not mark the fields as invalid', () => {
    const html = signInPages.signIn({ ...page, problem: { kind: 'staff', company: 'Blue & Eye', href: '/dealer/' } })
    expect(html).toContain('This is a Blue &amp; Eye staff account.')
    expect(html).toContain('<a href="/dealer/">Go to the Dealer Dashboard</a>')
    expect(html).not.toContain('aria-invalid')
  })
  test('says whom to contact about a suspended account', () => {
    const html = signInPages.signIn({ ...page, problem: { kind: 'suspended', company: 'Blue Eye' } })
    expect(html).toContain('This account is suspended. Contact Blue Eye.')
    expect(html).not.toContain('aria-invalid')
  })
})

test.each(signInLanguages)('%s has every text, with the same placeholders', (language) => {
  const places = (value: unknown): unknown =>
    typeof value === 'string'
      ? (value.match(/\{\w+\}/g) ?? [])
      : Object.fromEntries(Object.entries(value as object).map(([key, text]) => [key, places(text)]))
  expect(places(texts[language])).toEqual(places(texts.en))
  expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}')
})
