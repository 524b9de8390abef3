import { deleteReseller, type Reseller } from '@sightline/contract/resellers'
import { Button, Card, ConfirmDialog } from '@sightline/kit'
import { useApplication, useSave } from '@sightline/shell'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from './text.ts'

/** Deletes a reseller without accounts. */
export function DeleteReseller({ reseller }: { reseller: Reseller }) {
  const { client, queries } = useApplication()
  const t = useText()
  const save = useSave()
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { accounts, distributorId, name, resellerId } = reseller
  const remove = async () => {
    setBusy(true)
    const outcome = await save(() => client.call(deleteReseller, { params: { resellerId } }), {
      success: t('Reseller {name} was deleted', { name }),
      messages: {
        6: t('This reseller still has accounts or domains. Move or delete its accounts and remove its domains first.'),
      },
    })
    setBusy(false)
    setAsking(false)
    if (!('saved' in outcome)) return
    queries.removeQueries({ queryKey: ['distributors'] })
    await router.navigate({ to: `/distributors/${distributorId}/resellers` })
    queries.removeQueries({ queryKey: ['resellers', String(resellerId)] })
  }
  return (
    <Card
      title={t('Delete reseller')}
      description={t('Its staff, packages and brand are deleted. Its audit log is kept.')}
    >
      {accounts > 0 ? (
        <p className="text-muted">
          {t('This reseller has {count} accounts. Move or delete them first.', { count: accounts })}
        </p>
      ) : (
        <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
          {t('Delete reseller')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('Delete reseller {name}?', { name })}
        confirm={t('Delete reseller')}
        danger
        busy={busy}
        onClose={() => {
          if (!busy) setAsking(false)
        }}
        onConfirm={() => void remove()}
      >
        {t(
          "Its staff are signed out immediately. Staff, packages and the brand are permanently deleted. You can't undo this.",
        )}
      </ConfirmDialog>
    </Card>
  )
}
