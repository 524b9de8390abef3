import { type ListSearch, type ListState, listSearch, parseListState } from '@sightline/shell'

export type BlockedFilter = 'true' | 'false' | undefined

/** The filter of the users, and the state of the list. */
export interface UserListState extends ListState {
  readonly blocked: BlockedFilter
}

/** The filter in the address. */
export interface UserListSearch extends ListSearch {
  readonly blocked?: boolean | undefined
}

const sortable = ['name', 'email', 'lastLogin']

/** Reads an address that a person may have edited. Invalid values are ignored. */
export function parseUserListState(search: Readonly<Record<string, unknown>>): UserListState {
  const { blocked } = search
  return { ...parseListState(search, sortable), blocked: typeof blocked === 'boolean' ? `${blocked}` : undefined }
}

export const userListSearch = ({ blocked, ...place }: UserListState): UserListSearch => ({
  ...listSearch(place),
  blocked: blocked === undefined ? undefined : blocked === 'true',
})

/** The parameters that stay in the address, so that invalid values are removed. */
export const cleanUserListSearch = (search: Record<string, unknown>): UserListSearch =>
  userListSearch(parseUserListState(search))
