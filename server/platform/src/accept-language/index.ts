import { type SignInLanguage, signInLanguages } from '@sightline/contract/sign-in-pages'

/** More than any browser sends. */
const LONGEST = 1000

/** The languages of an Accept-Language header (RFC 9110 §12.5.4), best first. */
function languagesAccepted(header: string): string[] {
  return header
    .slice(0, LONGEST)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { tag, quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

/**
 * The first language with a translation, from the requested languages and then an Accept-Language header, or English.
 * `nl-BE` counts as `nl`.
 */
export function chooseLanguage(acceptLanguage: string | undefined, wishes: readonly string[] = []): SignInLanguage {
  for (const tag of [...wishes, ...languagesAccepted(acceptLanguage ?? '')]) {
    const code = tag.trim().toLowerCase().split('-', 1)[0]
    const language = signInLanguages.find((known) => known === code)
    if (language !== undefined) return language
  }
  return 'en'
}
