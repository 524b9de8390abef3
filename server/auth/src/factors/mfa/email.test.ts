import { expect, test } from 'vitest'
import { secondFactorEmail } from './email.ts'

const languages = ['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr']

test.each(languages)('in %s has no empty placeholders', (language) => {
  for (const news of [
    { kind: 'mfaEnabled' },
    { kind: 'mfaDisabled' },
    { kind: 'mfaReset' },
    { kind: 'recoveryCodeUsed', left: 7 },
    { kind: 'recoveryCodesRenewed' },
  ] as const) {
    const template = secondFactorEmail({ ...news, language, company: 'Blue Eye' })
    expect(template.subject).toContain('Blue Eye')
    expect(template.paragraphs.join(' ').includes('7')).toBe(news.kind === 'recoveryCodeUsed')
    expect(JSON.stringify(template)).not.toMatch(/[{}]\w+\}/)
  }
})
