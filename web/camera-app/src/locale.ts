/** The language with the region that the browser asks for, which decides how dates are written: `en` is `en-GB` to some. */
export const localeOf = (language: string): string =>
  navigator.languages.find((wish) => wish.toLowerCase().split('-')[0] === language) ?? language
