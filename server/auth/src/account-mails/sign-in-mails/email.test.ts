import { expect, test } from 'vitest'
import { emailChangedEmail, linkEmail } from './email.ts'

const languages = ['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr']

test.each(languages)('in %s has no empty placeholders', (language) => {
  for (const kind of ['invitation', 'reset'] as const) {
    const template = linkEmail({
      kind,
      language,
      company: 'Blue Eye',
      address: 'https://a.example/x',
      invitedBy: 'Olivia',
    })
    expect(template.language).toBe(language)
    expect(JSON.stringify(template)).not.toMatch(/[{}]\w+\}/)
    expect(template.subject).toContain('Blue Eye')
    expect(template.paragraphs.join(' ').includes('Olivia')).toBe(kind === 'invitation')
  }
  const told = emailChangedEmail({ language, company: 'Blue Eye', changedBy: 'Olivia' })
  expect(JSON.stringify(told)).toMatch(/Blue Eye.*Olivia/)
  expect(JSON.stringify(told)).not.toMatch(/[{}]\w+\}/)
})
