import type { Client } from '@sightline/client'
import type { Rule } from '@sightline/contract/rights'
import { blockPerson, deletePerson, invitePerson, type ManagedUser, unblockPerson } from '@sightline/contract/sub-users'
import { ConfirmDialog, type MenuItem } from '@sightline/kit'
import { type Translation, useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import type { OwnPermissions } from '../rights/index.ts'
import { refetchUser } from './people-queries.ts'
import { displayName } from './person-marks.tsx'
import { type Text, useText } from './text.ts'

export type UserAction = 'block' | 'unblock' | 'invite' | 'delete'

/** A change that the user has to confirm. */
export interface PendingChange {
  readonly change: UserAction
  readonly person: ManagedUser
}

type Ask = (client: Client, call: { readonly params: { readonly userId: number } }) => Promise<unknown>

const acts: Readonly<Record<UserAction, { readonly needs: Rule; readonly ask: Ask }>> = {
  block: { needs: blockPerson, ask: (client, call) => client.call(blockPerson, call) },
  unblock: { needs: unblockPerson, ask: (client, call) => client.call(unblockPerson, call) },
  invite: { needs: invitePerson, ask: (client, call) => client.call(invitePerson, call) },
  delete: { needs: deletePerson, ask: (client, call) => client.call(deletePerson, call) },
}

/** Makes one change to one user. Rejects like every call. */
export const makeChange = (client: Client, change: UserAction, userId: number): Promise<unknown> =>
  acts[change].ask(client, { params: { userId } })

/** Whether the server would accept that change, as far as the app knows. */
export function isPossible(change: UserAction, person: ManagedUser, own: OwnPermissions): boolean {
  if (person.guard !== null || !own.may(acts[change].needs)) return false
  if (change === 'block') return !person.blocked
  if (change === 'unblock') return person.blocked
  return change === 'delete' || (person.lastLogin === null && !person.blocked)
}

const entries = [
  { change: 'invite', label: 'Resend invitation', icon: 'mail' },
  { change: 'block', label: 'Block', icon: 'block' },
  { change: 'unblock', label: 'Unblock', icon: 'check' },
  { change: 'delete', label: 'Delete', icon: 'trash' },
] as const

interface MenuParts {
  readonly t: Translation<Text>
  readonly ask: (asked: PendingChange) => void
}

/** The actions on a user, apart from opening it. Actions that would be rejected are omitted. */
export const personMenu = (person: ManagedUser, own: OwnPermissions, { t, ask }: MenuParts): readonly MenuItem[] =>
  entries
    .filter(({ change }) => isPossible(change, person, own))
    .map(({ change, label, icon }) => ({
      label: t(label),
      icon,
      danger: change === 'delete',
      onSelect: () => ask({ change, person }),
    }))

interface Words {
  readonly title: Text
  readonly body: Text
  readonly confirm: Text
  readonly done: Text
}

const words: Readonly<Record<UserAction, Words>> = {
  block: {
    title: 'Block {name}?',
    body: "{name} is signed out everywhere immediately and can't sign in until unblocked. Rights and cameras are kept.",
    confirm: 'Block',
    done: '{name} is blocked',
  },
  unblock: {
    title: 'Unblock {name}?',
    body: '{name} will be able to sign in again with the same rights and cameras.',
    confirm: 'Unblock',
    done: '{name} can sign in again',
  },
  invite: {
    title: 'Resend the invitation to {name}?',
    body: 'A new email is sent to {email}. The link in the previous email stops working.',
    confirm: 'Send invitation',
    done: 'Invitation sent to {email}',
  },
  delete: {
    title: 'Delete {name}?',
    body: "{name} loses access immediately. Sign-ins, rights and camera access are deleted. You can't undo this. The audit log keeps the name and activity.",
    confirm: 'Delete',
    done: '{name} was deleted',
  },
}

interface PersonChangesProps {
  asked: PendingChange | undefined
  onClose: () => void
  /** Called after a user was deleted. */
  onDeleted?: () => void
}

/**
 * Asks before a user is blocked, unblocked, invited again or deleted, and explains the effect. Then makes the change.
 */
export function PersonChanges({ asked, onClose, onDeleted }: PersonChangesProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  if (asked === undefined) return null
  const { change, person } = asked
  const said = words[change]
  const values = { name: displayName(person), email: person.email }
  const act = async () => {
    setBusy(true)
    const outcome = await save(() => makeChange(client, change, person.userId), { success: t(said.done, values) })
    setBusy(false)
    onClose()
    if ('saved' in outcome && change === 'delete') {
      onDeleted?.()
      refetchUser(queries)
    } else refetchUser(queries, person.userId)
  }
  return (
    <ConfirmDialog
      open
      title={t(said.title, values)}
      confirm={t(said.confirm)}
      danger={change === 'delete' || change === 'block'}
      busy={busy}
      onClose={onClose}
      onConfirm={() => void act()}
    >
      {t(said.body, values)}
    </ConfirmDialog>
  )
}
