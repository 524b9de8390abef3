/** The page's language with the browser's region, which decides how dates are written: for some people, `en` is `en-GB`. */
export function pageLocale(): string {
  const language = document.documentElement.lang || 'en'
  return navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
}
