import { keepChoice, readCookie } from '@sightline/client'
import { type ChosenScheme, choiceCookies, chosenSchemes } from '@sightline/contract/first-paint'

export type SchemeChoice = ChosenScheme | 'system'

/** Light, dark or the system's preference. `system` until the user chooses in this browser. */
export function schemeChoice(): SchemeChoice {
  const kept = readCookie(document, choiceCookies.scheme)
  return chosenSchemes.find((scheme) => scheme === kept) ?? 'system'
}

function show(choice: SchemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = choice
}

export function chooseScheme(choice: SchemeChoice): void {
  keepChoice(document, choiceCookies.scheme, choice)
  show(choice)
}

/** Applies the stored choice. Call this before the first render. */
export const showChosenScheme = (): void => show(schemeChoice())
