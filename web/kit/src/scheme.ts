export type SchemeChoice = 'light' | 'dark' | 'system'

const REMEMBERED = 'scheme'
const isChoice = (text: string | null): text is SchemeChoice => text === 'light' || text === 'dark' || text === 'system'

/** Light, dark or as the system prefers; `system` until somebody chose in this browser. */
export function schemeChoice(): SchemeChoice {
  const remembered = localStorage.getItem(REMEMBERED)
  return isChoice(remembered) ? remembered : 'system'
}

function show(choice: SchemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = choice
}

export function chooseScheme(choice: SchemeChoice): void {
  localStorage.setItem(REMEMBERED, choice)
  show(choice)
}

/** Shows what was chosen before; to be called before anything is drawn. */
export const showChosenScheme = (): void => show(schemeChoice())
