import type { ConsentScope } from '@sightline/contract/sign-in-pages'
import { type ConnectedAppsText, useConnectedAppsText } from './text.ts'

const scopeTexts: Readonly<Record<ConsentScope, ConnectedAppsText>> = {
  openid: 'Know who you are',
  profile: 'See your name and language',
  email: 'See your email address',
  phone: 'See your phone number',
  address: 'See your postal address',
  read: 'See your cameras, recordings and settings',
  write: 'Change settings and control cameras for you',
}

/** The rights of an application, in words. */
export function ScopeList({ scopes }: { scopes: readonly ConsentScope[] }) {
  const t = useConnectedAppsText()
  return (
    <ul className="list-disc ps-5">
      {scopes.map((scope) => (
        <li key={scope}>{t(scopeTexts[scope])}</li>
      ))}
    </ul>
  )
}
