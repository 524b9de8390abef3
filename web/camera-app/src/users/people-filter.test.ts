import { expect, it } from 'vitest'
import { cleanUserListSearch, parseUserListState, userListSearch } from './people-filter.ts'

const start = { search: '', sort: undefined, page: 0, blocked: undefined }

it('the state of the user list survives the URL unchanged', () => {
  const places = [
    start,
    { ...start, search: 'guard' },
    { ...start, sort: { column: 'lastLogin', descending: true }, page: 2 },
    { ...start, blocked: 'true' as const },
    { ...start, blocked: 'false' as const, search: '42' },
  ]
  for (const place of places) expect(parseUserListState({ ...userListSearch(place) })).toEqual(place)
})

it('the default state adds nothing to the URL', () => {
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
])('a URL with %j gives the default state', (search) => {
  expect(parseUserListState(search)).toEqual(start)
  expect(Object.values(cleanUserListSearch(search)).filter((value) => value !== undefined)).toEqual([])
})

it('a search for digits is parsed as text', () => {
  expect(parseUserListState({ q: 42 })).toEqual({ ...start, search: '42' })
})
