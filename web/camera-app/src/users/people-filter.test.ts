import { expect, it } from 'vitest'
import { cleanUserListSearch, parseUserListState, userListSearch } from './people-filter.ts'

const start = { search: '', sort: undefined, page: 0, blocked: undefined }

it('a place in the list of users comes back from its address as it was', () => {
  const places = [
    start,
    { ...start, search: 'guard' },
    { ...start, sort: { column: 'lastLogin', descending: true }, page: 2 },
    { ...start, blocked: 'true' as const },
    { ...start, blocked: 'false' as const, search: '42' },
  ]
  for (const place of places) expect(parseUserListState({ ...userListSearch(place) })).toEqual(place)
})

it('what the list starts with anyway is not in the address', () => {
  expect(Object.values(userListSearch(start)).filter((value) => value !== undefined)).toEqual([])
})

it.each([
  { page: -1 },
  { page: 'two' },
  { page: 1e9 },
  { sort: 'password' },
  { sort: 7 },
  { blocked: 'perhaps' },
  { q: { deep: true } },
  { other: 'thing' },
])('an address with %j is the start of the list', (search) => {
  expect(parseUserListState(search)).toEqual(start)
  expect(Object.values(cleanUserListSearch(search)).filter((value) => value !== undefined)).toEqual([])
})

it('a search of digits, which an address holds as a number, is a text', () => {
  expect(parseUserListState({ q: 42 })).toEqual({ ...start, search: '42' })
})
