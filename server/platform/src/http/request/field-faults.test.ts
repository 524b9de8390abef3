import { allRoutes } from '@sightline/contract/routes'
import { brandColour } from '@sightline/contract/theme'
import { dateTimeText, id, idText } from '@sightline/contract/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { IN_WORDS } from './field-faults.ts'

const faultOf = (schema: z.ZodMiniType, value: unknown): string | undefined =>
  z.safeParse(schema, value, IN_WORDS).error?.issues[0]?.message

// As in the server, where other code loads Zod with its English texts.
beforeAll(() => void z.config(z.locales.en()))
afterAll(() => void z.config({ localeError: undefined }))

test.each([
  [z.string(), 5, 'must be text'],
  [z.string(), undefined, 'is required'],
  [id, 1.5, 'must be an integer'],
  [id, 0, 'must be above 0'],
  [idText, 'x', 'must be a positive integer id'],
  [dateTimeText, 'noon', 'must be a date-time with an offset, such as 2026-11-21T09:30:00Z'],
  [brandColour, 'red', 'must be a color such as #1f6feb'],
  [z.enum(['csv', 'json', 'pdf']), 'xls', 'must be "csv", "json" or "pdf"'],
  [z.string().check(z.maxLength(64)), 'x'.repeat(65), 'must be at most 64 characters'],
  [z.string().check(z.minLength(1)), '', 'must not be empty'],
  [z.array(z.int()).check(z.maxLength(1)), [1, 2], 'must have at most 1 item'],
  [z.union([z.literal('all'), id]), true, 'must be "all" or a number'],
  [z.email(), 'x', 'must be an email address'],
  [
    z.string().check(z.regex(/^x$/, 'Please choose a country from the list')),
    'y',
    'Please choose a country from the list',
  ],
])('%# describes in words what is expected', (schema, value, sentence) => {
  expect(faultOf(schema as z.ZodMiniType, value)).toBe(sentence)
})

test('no error contains a regular expression, whatever field of whatever call is wrong', () => {
  const wrong = [5, true, '', '\u0001', {}, [], 'x'.repeat(70_000), -1, null]
  for (const { params, query, body } of allRoutes) {
    for (const schema of [params, query, body]) {
      const shape = (schema._zod.def as unknown as { shape?: Record<string, z.ZodMiniType> }).shape ?? {}
      for (const field of Object.values(shape)) {
        for (const value of wrong) expect(faultOf(field, value) ?? '').not.toMatch(/\\d|\[\^|\{\d|\(\?|Invalid input/)
      }
    }
  }
})
