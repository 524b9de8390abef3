import { expect, test } from 'vitest'
import { testApi } from '../slice-testing.ts'
import { countedNotes } from './counted-notes-testing.ts'

test('a request that runs longer than its claim renews the claim and keeps it', async () => {
  const notes = countedNotes()
  await using api = await testApi({ slices: [], served: [notes.served], idempotency: { claimMs: 600 } })
  const { token } = await api.addAccount()
  const slow = () => api.call(token, 'POST notes', { text: 'slow', milliseconds: 1500 }, { 'idempotency-key': 'long' })
  const answers = await Promise.all([slow(), slow(), slow()])
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201])
  expect(notes.runs()).toBe(1)
})
