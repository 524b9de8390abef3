const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const

/** So many bytes as people read them, in steps of 1000: `4.5 GB`. */
export function byteSize(bytes: number, locale: string): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  // What would be rounded to 1000 of a unit is one of the next.
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

/** Round steps of a scale from 0 up to at least `most`, the top one last; at most four above 0. */
export function scaleOf(most: number): readonly number[] {
  if (most <= 0) return [0]
  const rough = most / 4
  const ten = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * ten >= rough) ?? 10) * ten
  const count = Math.ceil(most / step)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}
