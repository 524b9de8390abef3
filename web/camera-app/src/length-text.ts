/** A length of time in the words of a language, in its largest units, two by default: `6 days 3 hr`, `1 hr 2 min`, `40 sec`. */
export function lengthText(ms: number, locale: string, units = 2): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const parts = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ] as const
  const largest = parts.findIndex(([, value]) => value > 0)
  const told = largest === -1 ? parts.slice(-1) : parts.slice(largest, largest + units).filter(([, value]) => value > 0)
  return told
    .map(([unit, value]) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value))
    .join(' ')
}
