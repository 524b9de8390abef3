export const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** `UTC+05:30` for 19,800 seconds east of Greenwich. */
export function offsetText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  return `UTC${seconds < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** A readable name: `America/New York`. */
export const zoneName = (timeZone: string): string => timeZone.replaceAll('_', ' ')

interface WithTemporal {
  readonly Temporal?: {
    readonly Instant: {
      fromEpochMilliseconds(at: number): {
        toZonedDateTimeISO(timeZone: string): { readonly offsetNanoseconds: number }
      }
    }
  }
}

/** The offset of a zone at that time, in seconds east of Greenwich; undefined if this browser doesn't know the zone. */
export function zoneOffset(timeZone: string, at: Date): number | undefined {
  // Not all browsers have this. The alternative loads tables of names, which takes a phone a tenth of a second.
  const { Temporal } = globalThis as WithTemporal
  try {
    if (Temporal !== undefined) {
      const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone)
      return there.offsetNanoseconds / 1e9
    }
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? ''
    const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? []
    const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60
    return sign === '-' ? -size : size
  } catch {
    return undefined
  }
}

/** `(UTC+01:00) Europe/Amsterdam`: the text of the closed field, before the list is loaded. */
export function zoneLabel(timeZone: string, at: Date): string {
  const offset = zoneOffset(timeZone, at)
  return offset === undefined ? zoneName(timeZone) : `(${offsetText(offset)}) ${zoneName(timeZone)}`
}

/**
 * `Europe/Amsterdam (Central European Time, UTC+01:00)`: a zone on a screen. Loads the language's tables of names,
 * which takes a phone a tenth of a second.
 */
export function zoneInWords(timeZone: string, language: string, at: Date): string {
  const offset = zoneOffset(timeZone, at)
  if (offset === undefined) return zoneName(timeZone)
  const parts = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const known = /^GMT/.test(name) ? [] : [name]
  return `${zoneName(timeZone)} (${[...known, offsetText(offset)].join(', ')})`
}
