import { parseListState } from '../list-state.ts'
import { localDay, parseDay } from '../local-day.ts'

/** The filter of the log. Empty means everything. */
export interface AuditLogFilter {
  /** First and last day, `yyyy-mm-dd`, in the reader's time zone; empty means no limit. */
  readonly from: string
  readonly till: string
  readonly people: readonly number[]
  readonly cameras: readonly number[]
  readonly actions: readonly string[]
  /** Only actions of support and dealers. */
  readonly supportOnly: boolean
  readonly search: string
}

/** The filter in the address. A single id is a number, because addresses are parsed that way. */
export interface AuditSearch {
  readonly from?: string | undefined
  readonly till?: string | undefined
  readonly people?: string | number | undefined
  readonly cameras?: string | number | undefined
  readonly actions?: string | undefined
  readonly support?: true | undefined
  readonly q?: string | undefined
  /** Starts at 2: the first page needs no number. */
  readonly page?: number | undefined
}

export const noFilter: AuditLogFilter = {
  from: '',
  till: '',
  people: [],
  cameras: [],
  actions: [],
  supportOnly: false,
  search: '',
}

const LONGEST_SEARCH = 64

const textIn = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, LONGEST_SEARCH) : ''

const idsIn = (value: unknown): readonly number[] =>
  typeof value === 'string' || typeof value === 'number'
    ? [...new Set(String(value).split(',').map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0)
    : []

const actionsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(',').filter((action) => /^[A-Za-z]{1,64}$/.test(action)) : []

/** Reads an address that a person may have edited. Invalid values are ignored. */
export const parseFilter = (search: Readonly<Record<string, unknown>>): AuditLogFilter => ({
  from: parseDay(search.from),
  till: parseDay(search.till),
  people: idsIn(search.people),
  cameras: idsIn(search.cameras),
  actions: actionsIn(search.actions),
  supportOnly: search.support === true,
  search: textIn(search.q),
})

const listed = (ids: readonly number[]): string | number | undefined => {
  if (ids.length === 0) return undefined
  return ids.length === 1 ? ids[0] : ids.join(',')
}
const unlessEmpty = (text: string): string | undefined => (text === '' ? undefined : text)

/** The page in the address, from 0. */
export const parsePage = (search: Readonly<Record<string, unknown>>): number => parseListState(search, []).page

export const filterSearch = (filter: AuditLogFilter, page = 0): AuditSearch => ({
  from: unlessEmpty(filter.from),
  till: unlessEmpty(filter.till),
  people: listed(filter.people),
  cameras: listed(filter.cameras),
  actions: unlessEmpty(filter.actions.join(',')),
  support: filter.supportOnly ? true : undefined,
  q: unlessEmpty(filter.search),
  page: page === 0 ? undefined : page + 1,
})

/** The parameters that stay in the address: all names of the filter, so that invalid values are removed. */
export const searchOfAuditLog = (search: Record<string, unknown>): AuditSearch =>
  filterSearch(parseFilter(search), parsePage(search))

/** Whether the filter excludes anything. */
export const isNarrowing = (filter: AuditLogFilter): boolean =>
  Object.values(filterSearch(filter)).some((value) => value !== undefined)

const iso = (time: number): string => new Date(time).toISOString()

/** The filter in the server's form. Days start and end in the time zone. */
export function filterQuery(filter: AuditLogFilter, timeZone: string) {
  const first = localDay(filter.from, timeZone)
  const last = localDay(filter.till, timeZone)
  const search = filter.search.trim()
  return {
    ...(first === undefined ? {} : { from: iso(first.from) }),
    ...(last === undefined ? {} : { till: iso(last.till) }),
    ...(filter.people.length === 0 ? {} : { userIds: filter.people.join(',') }),
    ...(filter.cameras.length === 0 ? {} : { cameraIds: filter.cameras.join(',') }),
    ...(filter.actions.length === 0 ? {} : { actions: filter.actions.join(',') }),
    ...(filter.supportOnly ? { staffOnly: 'true' as const } : {}),
    ...(search === '' ? {} : { q: search }),
  }
}
