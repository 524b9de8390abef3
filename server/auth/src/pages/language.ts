import { type SignInLanguage, signInLanguages } from '@sightline/contract/sign-in-pages'

const isKnown = (tag: string): tag is SignInLanguage => (signInLanguages as readonly string[]).includes(tag)

/** `nl-BE` counts as `nl`. */
const known = (tag: string): SignInLanguage | undefined => {
  const language = tag.trim().toLowerCase().split('-', 1)[0] ?? ''
  return isKnown(language) ? language : undefined
}

/** The languages of an Accept-Language header (RFC 9110 §12.5.4), best first. */
function byPreference(header: string): string[] {
  return header
    .slice(0, 1000)
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

/** What was chosen on the page, else what the application asked for (`ui_locales`), else what the browser prefers, else English. */
export function chooseLanguage(asked: {
  readonly chosen: string | undefined
  readonly uiLocales: string | undefined
  readonly acceptLanguage: string | undefined
}): SignInLanguage {
  const wishes = [
    asked.chosen ?? '',
    ...(asked.uiLocales ?? '').split(' '),
    ...byPreference(asked.acceptLanguage ?? ''),
  ]
  for (const wish of wishes) {
    const language = known(wish)
    if (language !== undefined) return language
  }
  return 'en'
}
