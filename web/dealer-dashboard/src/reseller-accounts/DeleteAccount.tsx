import { type Account, deleteResellerAccount } from '@sightline/contract/reseller-accounts'
import { Button, Card, ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../text.ts'
import { type AccountIds, accountsKey, refetchInsights } from './account-queries.ts'

/** Deletes the account if no camera or device is attached to it. */
export function DeleteAccount({ account, place }: { account: Account; place: AccountIds }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { cameras, devices } = account.usage
  const isInUse = cameras + devices > 0
  const remove = async () => {
    setBusy(true)
    const outcome = await save(() => client.call(deleteResellerAccount, { params: place }), {
      success: t('Account {name} deleted', { name: account.name }),
    })
    setBusy(false)
    setAsking(false)
    if (!('saved' in outcome)) return
    // The list must not show the account again, not even before it has reloaded.
    queries.removeQueries({ queryKey: accountsKey(place.resellerId) })
    refetchInsights(queries, place.resellerId)
    await router.navigate({ to: `/resellers/${place.resellerId}/accounts` })
  }
  return (
    <Card
      title={t('Delete account')}
      description={
        isInUse
          ? t(
              "You can't delete an account that has cameras or devices. This one has {cameras} cameras and {devices} devices.",
              { cameras, devices },
            )
          : t('This permanently deletes its users, zones and settings. The audit log is kept.')
      }
    >
      {isInUse ? (
        <p className="text-muted">{t('Delete its cameras and devices first.')}</p>
      ) : (
        <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
          {t('Delete account')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('Delete {name}?', { name: account.name })}
        confirm={t('Delete account')}
        danger
        busy={busy}
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
      >
        {t('This permanently deletes its users, zones and settings. The audit log is kept.')}
      </ConfirmDialog>
    </Card>
  )
}
