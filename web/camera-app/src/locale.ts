/** The language with the browser's region, which decides the date format: for some people, `en` is `en-GB`. */
export const browserLocale = (language: string): string =>
  navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
