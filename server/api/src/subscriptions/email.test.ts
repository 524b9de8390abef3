import { expect, test } from 'vitest'
import { subscriptionEmail } from './email.ts'

const news = { was: 'HD1 30 days', is: 'SD1 7 days', lastDay: '2026-11-20', until: '2027-11-20', isTooSmall: true }

test.each(['de', 'en', 'es', 'ja', 'nl', 'pl', 'pt', 'tr'])('in %s nothing is left to fill in', (language) => {
  for (const kind of ['prolonged', 'changed', 'ended'] as const) {
    const letter = subscriptionEmail({ ...news, kind, language, origin: 'https://video.example' })
    expect(letter.language).toBe(language)
    expect(JSON.stringify(letter)).not.toMatch(/[{}]\w/)
    expect(letter.paragraphs).toHaveLength(2)
    expect(letter.button?.address).toBe('https://video.example/subscriptions')
  }
})

test('it says what ended, what holds, and until when', () => {
  const letter = subscriptionEmail({ ...news, kind: 'changed', language: 'xx', origin: 'https://video.example' })
  expect(letter.paragraphs[0]).toBe(
    'HD1 30 days ended on 2026-11-20, as chosen. From now on SD1 7 days holds, until 2027-11-20.',
  )
})
