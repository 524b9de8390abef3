/** `20 seconds`, in the words of a language. */
export const inSeconds = (seconds: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(seconds)
