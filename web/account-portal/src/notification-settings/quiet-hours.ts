const MINUTES = [0, 30]
const HOURS = 24

/** The times that quiet hours begin and end at, `HH:mm`, and the given one. */
export function quietTimes(also: string): readonly string[] {
  const times = Array.from({ length: HOURS }, (_, hour) =>
    MINUTES.map((minute) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`),
  ).flat()
  return times.includes(also) ? times : [...times, also].toSorted()
}

/** `22:00` on the clock of a language: 10:00 PM. */
export const timeText = (time: string, language: string): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' }).format(
    Date.parse(`2000-01-01T${time === '24:00' ? '00:00' : time}Z`),
  )
