import { expect, it } from 'vitest'
import { toBase64 } from './upload.ts'

it('writes bytes as base64, also more than a call has arguments', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_001 }, (_, at) => at % 251))
  expect(await toBase64(new Blob([bytes]))).toBe(bytes.toString('base64'))
  expect(await toBase64(new Blob([]))).toBe('')
})
