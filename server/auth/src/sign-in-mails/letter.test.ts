import { expect, test } from 'vitest'
import { harmlessName, linkLetter, newEmailLetter, secondFactorLetter } from './letter.ts'

const languages = ['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr']

test.each(languages)('in %s nothing is left to fill in', (language) => {
  for (const kind of ['invitation', 'reset'] as const) {
    const letter = linkLetter({
      kind,
      language,
      company: 'Blue Eye',
      address: 'https://a.example/x',
      invitedBy: 'Olivia',
    })
    expect(letter.language).toBe(language)
    expect(JSON.stringify(letter)).not.toMatch(/[{}]\w+\}/)
    expect(letter.subject).toContain('Blue Eye')
    expect(letter.paragraphs.join(' ').includes('Olivia')).toBe(kind === 'invitation')
  }
  const told = newEmailLetter({ language, company: 'Blue Eye', changedBy: 'Olivia' })
  expect(JSON.stringify(told)).toMatch(/Blue Eye.*Olivia/)
  expect(JSON.stringify(told)).not.toMatch(/[{}]\w+\}/)
  for (const news of [
    { kind: 'mfaEnabled' },
    { kind: 'mfaDisabled' },
    { kind: 'mfaReset' },
    { kind: 'recoveryCodeUsed', left: 7 },
    { kind: 'recoveryCodesRenewed' },
  ] as const) {
    const letter = secondFactorLetter({ ...news, language, company: 'Blue Eye' })
    expect(letter.subject).toContain('Blue Eye')
    expect(letter.paragraphs.join(' ').includes('7')).toBe(news.kind === 'recoveryCodeUsed')
    expect(JSON.stringify(letter)).not.toMatch(/[{}]\w+\}/)
  }
})

test.each([
  ['Olivia Owner', 'Olivia Owner'],
  ["Seán O'Brien-Smith", "Seán O'Brien-Smith"],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['https://evil.example/login', 'https evil. example login'],
  ['evil.example', 'evil. example'],
  ['<b>me@evil.example</b>', 'b me evil. example b'],
  ['a\r\nb', 'a b'],
])('%j stands as %j, which no mail program makes a link of', (name, shown) => {
  expect(harmlessName(name)).toBe(shown)
})
