import { keepChoice, readCookie } from '@sightline/client'
import { type ChosenScheme, choiceCookies, chosenSchemes } from '@sightline/contract/first-paint'

export type SchemeChoice = ChosenScheme | 'system'

/** Light, dark or as the system prefers; `system` until somebody chose in this browser. */
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

/** Shows what was chosen before; to be called before anything is drawn. */
export const showChosenScheme = (): void => show(schemeChoice())
