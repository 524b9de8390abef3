import { type ListPlace, type PlaceSearch, placeIn, searchOfPlace } from '@sightline/shell'

export type BlockedFilter = 'true' | 'false' | undefined

/** The filter of the users, and the state of the list. */
export interface PeoplePlace extends ListPlace {
  readonly blocked: BlockedFilter
}

/** The filter in the address. */
export interface PeopleSearch extends PlaceSearch {
  readonly blocked?: boolean | undefined
}

const sortable = ['name', 'email', 'lastLogin']

/** Reads an address that a person may have edited. Invalid values are ignored. */
export function peoplePlaceIn(search: Readonly<Record<string, unknown>>): PeoplePlace {
  const { blocked } = search
  return { ...placeIn(search, sortable), blocked: typeof blocked === 'boolean' ? `${blocked}` : undefined }
}

export const searchOfPeoplePlace = ({ blocked, ...place }: PeoplePlace): PeopleSearch => ({
  ...searchOfPlace(place),
  blocked: blocked === undefined ? undefined : blocked === 'true',
})

/** The parameters that stay in the address, so that invalid values are removed. */
export const searchOfPeople = (search: Record<string, unknown>): PeopleSearch =>
  searchOfPeoplePlace(peoplePlaceIn(search))
