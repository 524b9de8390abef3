import type { TimeZoneEntry } from '@sightline/contract/reference-lists'
import type { Option } from '@sightline/kit'

const two = (part: number): string => String(part).padStart(2, '0')

/** `UTC+05:30` for 19,800 seconds east of Greenwich. */
export function offsetText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  return `UTC${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

/** Every way that people write an offset: `+5:30`, `+05:30`, `utc+5:30`, `gmt+05:30`; `+2` where there are no minutes. */
function offsetWords(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const sign = seconds < 0 ? '-' : '+'
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  const forms = [`${hours}:${two(rest)}`, `${two(hours)}:${two(rest)}`]
  if (rest === 0) forms.push(String(hours), two(hours))
  return forms.flatMap((form) => [`${sign}${form}`, `utc${sign}${form}`, `gmt${sign}${form}`]).join(' ')
}

/** As people read it: `America/New York`. */
const zoneName = (timeZone: string): string => timeZone.replaceAll('_', ' ')

/** The list to choose from, west to east and then by name. */
export function zoneOptions(entries: readonly TimeZoneEntry[]): readonly Option[] {
  return [...entries]
    .sort((a, b) => a.utcOffset - b.utcOffset || a.timeZone.localeCompare(b.timeZone))
    .map(({ timeZone, utcOffset }) => ({
      value: timeZone,
      label: zoneName(timeZone),
      hint: offsetText(utcOffset),
      keywords: offsetWords(utcOffset),
    }))
}

/** Seconds that a zone is east of Greenwich at that moment; undefined for a name that this browser does not know. */
export function offsetAt(timeZone: string, at: Date): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
    const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60
    return sign === '-' ? -size : size
  } catch {
    return undefined
  }
}

/** `(UTC+01:00) Europe/Amsterdam`: one zone as the closed field shows it, before the list is there. */
export function zoneLabel(timeZone: string, at: Date): string {
  const offset = offsetAt(timeZone, at)
  return offset === undefined ? zoneName(timeZone) : `(${offsetText(offset)}) ${zoneName(timeZone)}`
}
