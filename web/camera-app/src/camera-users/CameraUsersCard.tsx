import { type CameraUser, cameraUserDenyReason, deleteCameraUser } from '@sightline/contract/camera-users'
import { Badge, Button, Card, ConfirmDialog, Skeleton } from '@sightline/kit'
import { Loaded, useApplication, useSave } from '@sightline/shell'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { levelTexts } from './level-texts.ts'
import { useText } from './text.ts'
import { UserDialog } from './UserDialog.tsx'
import { usersQuery } from './user-queries.ts'

interface CameraUsersProps {
  cameraId: number
  isOnline: boolean
  /** A password crosses the camera's network in plain text. */
  needsConsent: boolean
  /** Nothing may be changed. */
  fixed: boolean
}

interface UserProps extends Omit<CameraUsersProps, 'isOnline'> {
  user: CameraUser
  users: readonly CameraUser[]
  onChanged: () => void
}

function RemoveUser({ cameraId, user, onClose, onChanged }: UserProps & { onClose: () => void }) {
  const t = useText()
  const { client } = useApplication()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { username } = user
  const remove = async () => {
    setBusy(true)
    await save(() => client.call(deleteCameraUser, { params: { cameraId, username } }), {
      success: t('User removed from the camera'),
      messages: {
        4: t('The camera doesn’t have this user anymore.'),
        6: t('The camera doesn’t allow this: it has too many users, or this user can’t be changed.'),
        11: t('The users of this camera can only be changed in the camera’s own settings.'),
        12: t('The camera rejected the saved sign-in, or its user isn’t an administrator of the camera.'),
        13: t('The camera refused to remove this user.'),
        18: t('The camera is offline. Its users weren’t changed.'),
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
      title={t('Remove {name} from the camera?', { name: username })}
      confirm={t('Remove user')}
      danger
      busy={busy}
      onConfirm={() => void remove()}
    >
      <p>{t('Other apps and recorders that sign in to the camera as this user lose access.')}</p>
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

/** The users that a camera itself has, read from it. */
export function CameraUsersCard({ cameraId, isOnline, ...rest }: CameraUsersProps) {
  const t = useText()
  const { client } = useApplication()
  const users = useQuery({ ...usersQuery(client, cameraId), enabled: isOnline })
  return (
    <Card
      title={t('Users of the camera')}
      description={t('Users that are stored in the camera itself. They’re separate from the users of your account.')}
    >
      {isOnline ? (
        <Loaded
          asked={[users] as const}
          failure={t('The users of the camera couldn’t be loaded')}
          place={<Skeleton className="h-32 w-full" />}
        >
          {(loaded) => <Users cameraId={cameraId} users={loaded} onChanged={() => void users.refetch()} {...rest} />}
        </Loaded>
      ) : (
        <p className="text-muted">{t('The camera is offline, so its users can’t be read or changed.')}</p>
      )}
    </Card>
  )
}
