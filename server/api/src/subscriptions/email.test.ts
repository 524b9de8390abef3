import { expect, test } from 'vitest'
import { subscriptionEmail } from './email.ts'

const news = { was: 'HD1 30 days', is: 'SD1 7 days', lastDay: '2026-11-20', until: '2027-11-20', isTooSmall: true }

test.each(['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'])('in %s has no empty placeholders', (language) => {
  for (const kind of ['prolonged', 'changed', 'ended'] as const) {
    const template = subscriptionEmail({ ...news, kind, language, origin: 'https://video.example' })
    expect(template.language).toBe(language)
    expect(JSON.stringify(template)).not.toMatch(/[{}]\w/)
    expect(template.paragraphs).toHaveLength(2)
    expect(template.button?.address).toBe('https://video.example/subscriptions')
  }
})

test('the email says what ended, what applies now, and until when', () => {
  const template = subscriptionEmail({ ...news, kind: 'changed', language: 'xx', origin: 'https://video.example' })
  expect(template.paragraphs[0]).toBe(
    'HD1 30 days ended on 2026-11-20, as scheduled. Your subscription is now SD1 7 days. The current period ends on 2027-11-20.',
  )
})
