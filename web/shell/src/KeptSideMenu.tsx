import { keepChoice, readCookie } from '@sightline/client'
import { choiceCookies, type SideMenuChoice, sideMenus } from '@sightline/contract/first-paint'
import { type NavItem, SideMenu } from '@sightline/kit'

/** Undefined until the user chooses in this browser. */
function startsFolded(): boolean | undefined {
  const kept = readCookie(document, choiceCookies.sideMenu)
  const choice = sideMenus.find((known) => known === kept)
  return choice === undefined ? undefined : choice === 'folded'
}

const keep = (folded: boolean): void =>
  keepChoice(document, choiceCookies.sideMenu, (folded ? 'folded' : 'open') satisfies SideMenuChoice)

/** The side menu, as wide as the user left it. The server sees the choice too, for the first paint. */
export const KeptSideMenu = ({ items }: { items: readonly NavItem[] }) => (
  <SideMenu items={items} startsFolded={startsFolded()} onFold={keep} />
)
