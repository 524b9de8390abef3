/** Hours with their unit, in the plural forms of a language: `1 hour`, `2.5 hours`. */
export const hoursText = (hours: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour', unitDisplay: 'long', maximumFractionDigits: 1 }).format(
    hours,
  )
