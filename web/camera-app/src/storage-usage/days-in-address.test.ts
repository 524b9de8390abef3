import { expect, it } from 'vitest'
import { searchOfStorage } from './days-in-address.ts'

const none = { from: undefined, till: undefined }

it('the days in the URL are a valid range or ignored', () => {
  const span = { from: '2026-07-01', till: '2026-07-09' }
  expect(searchOfStorage(span)).toEqual(span)
  expect(searchOfStorage({ from: '2026-07-01' })).toEqual(none)
  expect(searchOfStorage({ from: span.till, till: span.from })).toEqual(none)
  expect(searchOfStorage({ from: 'yesterday', till: '2026-02-30' })).toEqual(none)
})
