import { expect, test } from 'vitest'
import { confirmationEmail, confirmedEmail, ownerEmail } from './email.ts'

const company = 'Blue Eye'

test.each(['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'])('in %s has no empty placeholders', (language) => {
  const asking = confirmationEmail({
    language,
    company,
    askedBy: 'Dee evil.example',
    address: 'https://a.example/x',
    orOpen: 'x',
  })
  const owner = ownerEmail({ language, company, askedBy: 'Dee', person: 'Gus Guard' })
  const confirmed = confirmedEmail({ language, company })
  for (const template of [asking, owner, confirmed]) {
    expect(template.language).toBe(language)
    expect(template.subject).toContain(company)
    expect(JSON.stringify(template)).not.toMatch(/[{}]\w+\}/)
  }
  expect(asking.paragraphs.join()).toContain('Dee evil. example')
  expect(owner.paragraphs.join()).toMatch(/Gus Guard/)
})
