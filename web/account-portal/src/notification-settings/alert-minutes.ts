const MINUTES_PER_HOUR = 60
const MINUTES_PER_DAY = 1440

/** Whole days, hours or minutes in the plural forms of a language (specification §9). */
export function durationText(minutes: number, language: string): string {
  const [unit, count] = inLargestUnit(minutes)
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

function inLargestUnit(minutes: number): readonly ['day' | 'hour' | 'minute', number] {
  if (minutes % MINUTES_PER_DAY === 0) return ['day', minutes / MINUTES_PER_DAY]
  if (minutes % MINUTES_PER_HOUR === 0) return ['hour', minutes / MINUTES_PER_HOUR]
  return ['minute', minutes]
}
