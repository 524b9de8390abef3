import { type CameraLogLevel, cameraLogLevels } from '@sightline/contract/camera-logs'
import { parseListState } from '@sightline/shell'
import { localDay, parseDay } from '@sightline/shell/local-day'

/** The filter of a camera's log. Empty days mean no limit; no level means all levels. */
export interface LogFilter {
  readonly from: string
  readonly till: string
  readonly level: CameraLogLevel | undefined
}

/** The filter in the address, with the page from 2. */
export interface LogSearch {
  readonly from?: string | undefined
  readonly till?: string | undefined
  readonly level?: CameraLogLevel | undefined
  readonly page?: number | undefined
}

export const wholeLog: LogFilter = { from: '', till: '', level: undefined }

/** Reads an address that a person may have edited. Invalid values are ignored. */
export const parseLogFilter = (search: Readonly<Record<string, unknown>>): LogFilter => ({
  from: parseDay(search.from),
  till: parseDay(search.till),
  level: cameraLogLevels.find((level) => level === search.level),
})

const unlessEmpty = (text: string): string | undefined => (text === '' ? undefined : text)

/** `page` starts at 0. */
export const searchOfLog = ({ from, till, level }: LogFilter, page = 0): LogSearch => ({
  from: unlessEmpty(from),
  till: unlessEmpty(till),
  level,
  page: page === 0 ? undefined : page + 1,
})

/** The parameters that stay in the address. */
export const searchOfCameraLog = (search: Record<string, unknown>): LogSearch =>
  searchOfLog(parseLogFilter(search), parseListState(search, []).page)

export const isFiltering = (filter: LogFilter): boolean =>
  Object.values(searchOfLog(filter)).some((value) => value !== undefined)

/** The filter in the server's form. Days start and end in the account's time zone. */
export function logQuery({ from, till, level }: LogFilter, timeZone: string) {
  const first = localDay(from, timeZone)
  const last = localDay(till, timeZone)
  return {
    ...(first === undefined ? {} : { from: new Date(first.from).toISOString() }),
    ...(last === undefined ? {} : { till: new Date(last.till).toISOString() }),
    ...(level === undefined ? {} : { level }),
  }
}
