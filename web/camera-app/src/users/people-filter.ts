import { type ListPlace, type PlaceSearch, placeIn, searchOfPlace } from '@sightline/shell'

export type BlockedFilter = 'true' | 'false' | undefined

/** What of the people is shown, and where in the list. */
export interface PeoplePlace extends ListPlace {
  readonly blocked: BlockedFilter
}

/** The same in the address. */
export interface PeopleSearch extends PlaceSearch {
  readonly blocked?: boolean | undefined
}

const sortable = ['name', 'email', 'lastLogin']

/** Reads an address that a person may have changed; what makes no sense is left out. */
export function peoplePlaceIn(search: Readonly<Record<string, unknown>>): PeoplePlace {
  const { blocked } = search
  return { ...placeIn(search, sortable), blocked: typeof blocked === 'boolean' ? `${blocked}` : undefined }
}

export const searchOfPeoplePlace = ({ blocked, ...place }: PeoplePlace): PeopleSearch => ({
  ...searchOfPlace(place),
  blocked: blocked === undefined ? undefined : blocked === 'true',
})

/** What of an address is kept: every name of the place, so that what makes no sense does not stay there. */
export const searchOfPeople = (search: Record<string, unknown>): PeopleSearch =>
  searchOfPeoplePlace(peoplePlaceIn(search))
