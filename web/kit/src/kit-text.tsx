import { createContext, type ReactNode, useContext } from 'react'

/** Every text that the kit itself says; an app translates them by their English form. */
export const kitTexts = [
  'Close',
  'Show password',
  'Hide password',
  'Nothing found',
  'Open menu',
  'Close menu',
  'Loading',
  'Cancel',
  'Skip to content',
  'Applications',
  'Notifications',
  'Menu',
] as const
export type KitText = (typeof kitTexts)[number]

const Translate = createContext<(text: KitText) => string>((text) => text)

/** Makes the kit speak the app's language. */
export function KitTextProvider({
  translate,
  children,
}: {
  translate: (text: KitText) => string
  children: ReactNode
}) {
  return <Translate value={translate}>{children}</Translate>
}

export const useKitText = (): ((text: KitText) => string) => useContext(Translate)
