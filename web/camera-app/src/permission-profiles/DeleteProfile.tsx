import { deletePermissionProfile, type PermissionProfile } from '@sightline/contract/permission-profiles'
import { Button, ConfirmDialog, Dialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { useText } from './text.ts'

interface DeleteProfileProps {
  profile: PermissionProfile
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before a profile is deleted. If it is in use, lists who has it instead. */
export function DeleteProfile({ profile, onClose, onDeleted }: DeleteProfileProps) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const { permissionProfileId, name, users } = profile
  if (users > 0) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('Profile {profile} is in use', { profile: name })}
        footer={<Button onClick={onClose}>{t('Close')}</Button>}
      >
        <p>
          {t('Users with this profile: {count}. Give them another profile or individual rights first.', {
            count: users,
          })}
        </p>
      </Dialog>
    )
  }
  const act = async () => {
    setBusy(true)
    const outcome = await save(() => client.call(deletePermissionProfile, { params: { permissionProfileId } }), {
      success: t('Profile {profile} deleted', { profile: name }),
      messages: { 6: t('Profile {profile} is in use', { profile: name }) },
    })
    // Someone may have been given the profile meanwhile, so the number can change.
    void queries.invalidateQueries({ queryKey: ['permissionProfile', permissionProfileId] })
    void queries.invalidateQueries({ queryKey: ['permissionProfiles'] })
    onClose()
    if ('saved' in outcome) onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={t('Delete profile {profile}?', { profile: name })}
      confirm={t('Delete')}
      busy={busy}
      onClose={onClose}
      onConfirm={() => void act()}
    >
      {t("No users have this profile, so no one loses any rights. You can't undo this.")}
    </ConfirmDialog>
  )
}
