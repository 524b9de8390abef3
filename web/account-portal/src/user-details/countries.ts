import type { Option } from '@sightline/kit'

/** The name of a country in that language; its code if this browser has no name for it. */
export function countryName(country: string, language: string): string {
  if (country === '') return ''
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(country) ?? country
}

/** The options, by name in that language. The search also finds codes. */
export function countryOptions(codes: readonly string[], language: string): readonly Option[] {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' })
  const order = new Intl.Collator(language)
  return codes
    .map((code) => ({ value: code, label: names.of(code) ?? code, keywords: code }))
    .sort((a, b) => order.compare(a.label, b.label))
}
