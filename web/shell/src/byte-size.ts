const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** A number of bytes in readable form, in steps of 1000: `4.5 GB`. */
export function byteSize(bytes: number, locale: string): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  // A value that rounds to 1000 of a unit is 1 of the next.
  const value = bytes / 1000 ** step
  const isNext = step > 0 && step < units.length - 1 && Math.round(value * 10) >= 10_000
  const unit = units[isNext ? step + 1 : step] ?? 'byte'
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(isNext ? value / 1000 : value)
}
