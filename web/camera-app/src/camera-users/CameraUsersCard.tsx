import { type CameraUser, cameraUserDenyReason } from '@sightline/contract/camera-users'
import { Badge, Button, Card, ConfirmDialog, Skeleton } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hostTexts } from './host-texts.ts'
import { levelTexts } from './level-texts.ts'
import { useText } from './text.ts'
import { UserDialog } from './UserDialog.tsx'
import { type HostKey, removeUser, usersQuery } from './user-calls.ts'

interface CameraUsersProps {
  host: HostKey
  isOnline: boolean
  /** A password crosses the network of the camera or recorder in plain text. */
  needsConsent: boolean
  /** Nothing may be changed. */
  fixed: boolean
}

interface UserProps extends Omit<CameraUsersProps, 'isOnline'> {
  user: CameraUser
  users: readonly CameraUser[]
  onChanged: () => void
}

function RemoveUser({ host, user, onClose, onChanged }: UserProps & { onClose: () => void }) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { username } = user
  const texts = hostTexts[host.kind]
  const remove = async () => {
    setBusy(true)
    await save(() => removeUser(client, { ...host, username }), {
      success: t(texts.removed),
      messages: {
        4: t(texts.gone),
        6: t(texts.notAllowed),
        11: t(texts.ownSettings),
        12: t(texts.signInRejected),
        13: t(texts.removalRefused),
        14: t(texts.unchanged),
        18: t(texts.unchanged),
      },
    })
    setBusy(false)
    onClose()
    onChanged()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t(texts.removeNamed, { name: username })}
      confirm={t('Remove user')}
      danger
      busy={busy}
      onConfirm={() => void remove()}
    >
      <p>{t(texts.othersLoseAccess)}</p>
    </ConfirmDialog>
  )
}

function User(props: UserProps) {
  const t = useText()
  const [dialog, open] = useState<'change' | 'remove'>()
  const { user, users, fixed } = props
  const { username, level, usedByServer } = user
  const stays = cameraUserDenyReason(users, username, 'remove')
  const close = () => open(undefined)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          <bdi>{username}</bdi>
        </p>
        <p className="text-sm text-muted">
          {t(levelTexts[level])}
          {stays === 'lastAdministrator' ? ` · ${t('The last administrator can’t be removed.')}` : null}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {usedByServer ? (
          <Badge mood="brand">{t('Used by this server')}</Badge>
        ) : (
          <Button
            variant="secondary"
            disabled={fixed}
            onClick={() => open('change')}
            aria-label={t('Change {name}', { name: username })}
          >
            {t('Change')}
          </Button>
        )}
        {stays === undefined ? (
          <Button
            variant="secondary"
            disabled={fixed}
            onClick={() => open('remove')}
            aria-label={t('Remove {name}', { name: username })}
          >
            {t('Remove')}
          </Button>
        ) : null}
      </div>
      {dialog === 'change' ? <UserDialog {...props} onClose={close} /> : null}
      {dialog === 'remove' ? <RemoveUser {...props} onClose={close} /> : null}
    </li>
  )
}

function Users({ users, ...rest }: Omit<UserProps, 'user'>) {
  const t = useText()
  const [adds, add] = useState(false)
  return (
    <div className="space-y-3">
      <ul className="divide-y divide-border" aria-live="polite">
        {users.map((user) => (
          <User key={user.username} {...rest} users={users} user={user} />
        ))}
      </ul>
      <Button variant="secondary" icon="plus" disabled={rest.fixed} onClick={() => add(true)}>
        {t('Add user')}
      </Button>
      {adds ? <UserDialog {...rest} onClose={() => add(false)} /> : null}
    </div>
  )
}

/** The users that a camera or recorder itself has, read from it. */
export function CameraUsersCard({ host, isOnline, ...rest }: CameraUsersProps) {
  const t = useText()
  const texts = hostTexts[host.kind]
  const { client } = useApplication()
  const users = useQuery({ ...usersQuery(client, host), enabled: isOnline })
  return (
    <Card title={t(texts.title)} description={t(texts.about)}>
      {isOnline ? (
        <Loaded asked={[users] as const} failure={t(texts.notLoaded)} place={<Skeleton className="h-32 w-full" />}>
          {(loaded) => <Users host={host} users={loaded} onChanged={() => void users.refetch()} {...rest} />}
        </Loaded>
      ) : (
        <p className="text-muted">{t(texts.offline)}</p>
      )}
    </Card>
  )
}
