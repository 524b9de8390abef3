import type { ManagedUser, UserGuard } from '@sightline/contract/sub-users'
import { Badge } from '@sightline/kit'
import { useMoments } from '../account-time/index.ts'
import { type Text, useText } from './text.ts'

export const displayName = ({ firstName, lastName }: Pick<ManagedUser, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`

/** For a button whose text needs two lines on a phone in some languages. */
export const wrapping = 'h-auto! min-h-10 py-1.5 whitespace-normal! pointer-coarse:min-h-11'

/** Why only the user, or no one, can change this user here. */
export const guardTexts: Readonly<Record<UserGuard, Text>> = {
  owner: "You can't change the account owner.",
  self: 'This is you. Change your name, email address and password in My Account. Someone else has to change your rights.',
  holdsMore: "You can't change this user because they have rights, cameras or zones that you don't have.",
}

/** Badges of a user: owner, you, demo user. */
export function PersonBadges({ person, ownId }: { person: ManagedUser; ownId: number | undefined }) {
  const t = useText()
  return (
    <>
      {person.isSuperUser ? (
        <Badge mood="brand" icon="shield">
          {t('Owner')}
        </Badge>
      ) : null}
      {person.userId === ownId ? <Badge>{t('You')}</Badge> : null}
      {person.userType === 'demo' ? <Badge mood="warning">{t('Demo user')}</Badge> : null}
    </>
  )
}

/** Whether a user can sign in, and whether they ever have. */
export function PersonState({ person }: { person: ManagedUser }) {
  const t = useText()
  if (person.blocked) {
    return (
      <Badge mood="danger" icon="block">
        {t('Blocked')}
      </Badge>
    )
  }
  return person.lastLogin === null ? (
    <Badge mood="warning">{t('Not signed in yet')}</Badge>
  ) : (
    <Badge mood="success">{t('Active')}</Badge>
  )
}

/** A time in the current language and the account's time zone. */
export const useMoment = (): ((moment: string) => string) => useMoments().shortly
