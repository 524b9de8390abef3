import { expect, test } from 'vitest'
import { deletionEmail } from './email.ts'

const told = {
  news: 'deletionRequested',
  what: 'account',
  accountName: 'Corner Shop',
  origin: 'https://v.example',
} as const

test.each([
  ['de', '24. Dezember 2026'],
  ['en', 'December 24, 2026'],
  ['es', '24 de diciembre de 2026'],
  ['ja', '2026年12月24日'],
  ['nl', '24 december 2026'],
  ['pl', '24 grudnia 2026'],
  ['pt', '24 de dezembro de 2026'],
  ['tr', '24 Aralık 2026'],
])("%s: the day is formatted in that language, in the account's time zone", (language, day) => {
  // Still the day before in Europe.
  const deletesAt = Date.parse('2026-12-23T20:30:00Z')
  const template = deletionEmail({ ...told, language, deletesAt, timeZone: 'Asia/Tokyo' })
  expect([template.subject, template.paragraphs[0]]).toEqual([
    expect.stringContaining(day),
    expect.stringContaining(day),
  ])
})
