import { type ConnectedApp, deleteConnectedApp } from '@sightline/contract/connected-apps'
import { ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useState } from 'react'
import { connectedAppsQuery } from './connected-apps-query.ts'
import { ScopeList } from './ScopeList.tsx'
import { useConnectedAppsText } from './text.ts'

/** Not found; code 4 in the error catalog. */
const NOT_FOUND = 4

interface RemoveAccessProps {
  /** Undefined while the dialog is closed. */
  app: ConnectedApp | undefined
  onRemoved: () => void
  onClose: () => void
}

/** Asks before an application loses its access, and says what it loses. */
export function RemoveAccess({ app, onRemoved, onClose }: RemoveAccessProps) {
  const { client, queries } = useApplication()
  const t = useConnectedAppsText()
  const save = useSave()
  const [busy, setBusy] = useState(false)
  const name = app?.name ?? ''
  const remove = async () => {
    if (app === undefined) return
    setBusy(true)
    await save(() => client.call(deleteConnectedApp, { params: { clientId: app.clientId } }), {
      success: t('{name} no longer has access', { name }),
      messages: { [NOT_FOUND]: t('Access was already removed') },
    })
    await queries.invalidateQueries({ queryKey: connectedAppsQuery(client).queryKey })
    onRemoved()
    setBusy(false)
    onClose()
  }
  return (
    <ConfirmDialog
      open={app !== undefined}
      title={t('Remove access for {name}?', { name })}
      confirm={t('Remove access')}
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>{t('The app can no longer:')}</p>
      <ScopeList scopes={app?.scopes ?? []} />
      <p>
        {t(
          "The app will be signed out of your account immediately, and live video in it will stop. To use it again, you'll need to allow it again.",
        )}
      </p>
    </ConfirmDialog>
  )
}
