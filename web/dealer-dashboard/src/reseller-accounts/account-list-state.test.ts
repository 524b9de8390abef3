import { describe, expect, test } from 'vitest'
import { cleanSearch } from '../shell/list-in-address.ts'
import { accountsInAddress } from './account-list-state.ts'

const { parse, format } = accountsInAddress
const nothing = { search: '', sort: undefined, page: 0, status: undefined, userType: undefined }

describe('the account list’s state in the URL', () => {
  test('survives the URL unchanged', () => {
    const state = {
      search: '02:53:4c:00:00:01',
      sort: { column: 'createdAt', descending: true },
      page: 2,
      status: 'suspended',
      userType: 'trial',
    } as const
    expect(parse({ ...format(state) })).toEqual(state)
    expect(format(nothing)).toEqual({})
  })

  test('ignores invalid values', () => {
    expect(parse({ status: 'gone', type: 1, sort: 'usage', page: 'x', q: { a: 1 } })).toEqual(nothing)
    expect(cleanSearch(accountsInAddress)({ status: 'gone', other: 1, q: 255 })).toEqual({ q: '255' })
  })
})
