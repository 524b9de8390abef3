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

/**
 * Lays a palette (`paletteCss` of the contract) over the page and shows the scheme chosen before. A constructed style
 * sheet needs no `unsafe-inline` in the content security policy.
 */
export function applyTheme(paletteCss: string): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(paletteCss)
  document.adoptedStyleSheets = [sheet]
  show(schemeChoice())
}
